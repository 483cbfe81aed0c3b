// How often a test repeats what only chance can break. Everything runs on two kinds of store, so most loops are short
// in the test run; ATTACKS=whole makes them as long as an attack would be.

export function rounds(short: number, whole: number): number {
  return process.env.ATTACKS === 'whole' ? whole : short;
}
