import Link from 'next/link';

/** Auth.js logs what Tollgate said on the server; its reference (trc_…) is what Usage → Find a sign-in takes. */
export default async function SignInFailed({ searchParams }) {
  const { error } = await searchParams;
  return (
    <main>
      <h1>You are not signed in</h1>
      <p>
        {error === 'AccessDenied'
          ? 'You said no, and nothing was shared.'
          : 'Something went wrong. Please try once more.'}
      </p>
      <Link href="/">Start again</Link>
    </main>
  );
}
