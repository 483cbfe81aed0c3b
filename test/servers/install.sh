#!/bin/sh
# Installs the packages that are named, as root: none starts a service, and PostgreSQL's makes no cluster.
# What this changes of the machine's settings to that end is put back.
set -eu
export DEBIAN_FRONTEND=noninteractive
policy=/usr/sbin/policy-rc.d
clusters=/etc/postgresql-common/createcluster.conf
made_policy=
kept_clusters=

put_back() {
  if [ -n "$made_policy" ]; then rm -f "$policy"; fi
  if [ -n "$kept_clusters" ]; then cat "$kept_clusters" >"$clusters"; rm -f "$kept_clusters"; fi
}
trap put_back EXIT
trap 'exit 1' HUP INT TERM

install() {
  apt-get install -y -qq --no-install-recommends "$@"
}

# Debian asks this program before a package starts anything; 101 means no.
if [ ! -e "$policy" ]; then
  made_policy=yes
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
fi

apt-get update -qq
case " $* " in
*' postgresql '*)
  install postgresql-common
  kept_clusters=$(mktemp)
  cat "$clusters" >"$kept_clusters"
  echo 'create_main_cluster = false' >>"$clusters"
  ;;
esac
install "$@"
