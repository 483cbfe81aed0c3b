// How pages of company settings write counts.

export function plainNumber(value: number): string {
  return number.format(value);
}

const number = new Intl.NumberFormat('en-GB');
