// What a process holds in memory after more and more sign-ins under full load. Each reading follows a collection, so
// that it shows what is kept, not what happens to lie around.
import { median } from './load.ts';
import { startChild } from './processes.ts';
import { mebibytes, say } from './report.ts';
import { load, openHouse } from './sign-ins.ts';

type Options = { signIns: number; minutes: number; stretchSeconds: number };
type Reading = { signIns: number; resident: number; heap: number };

export async function benchMemory(options: Options): Promise<void> {
  const driver = startChild('driver.ts');
  const { database, server } = await openHouse({});
  say('\n4. Memory of a process under full load (sign-ins so far: resident, heap after a collection)');
  const readings: Reading[] = [];
  const until = performance.now() + options.minutes * 60_000;
  for (let signIns = 0; signIns < options.signIns && performance.now() < until; ) {
    signIns += (await load(driver, server, { seconds: options.stretchSeconds })).signIns;
    const memory = await server.child.call<NodeJS.MemoryUsage>('memory');
    readings.push({ signIns, resident: memory.rss, heap: memory.heapUsed });
    say(`    ${signIns}: ${mebibytes(memory.rss)}, ${mebibytes(memory.heapUsed)} MiB`);
  }
  // The first third warms caches up.
  const late = readings.slice(Math.floor(readings.length / 3));
  say(`    slope per million sign-ins, after the first ${late[0]?.signIns ?? 0}:`);
  say(`    resident ${slope(late, 'resident')} MiB, heap ${slope(late, 'heap')} MiB`);
  await server.child.stop();
  await database.remove();
  await driver.stop();
}

/** Theil and Sen's: the median of the slopes between all pairs, which one odd reading does not move. */
function slope(readings: Reading[], of: 'resident' | 'heap'): string {
  const slopes = readings.flatMap((first, index) =>
    readings.slice(index + 1).map((second) => (second[of] - first[of]) / (second.signIns - first.signIns)),
  );
  return mebibytes(median(slopes) * 1_000_000);
}
