// Comma-separated values (RFC 4180) that people open in a spreadsheet: a cell that someone else wrote must never be
// run as a formula there (OWASP, "CSV injection").

export type CsvCell = string | number | Date | null | undefined;

export function csvLine(cells: CsvCell[]): string {
  return `${cells.map((cell) => quoted(written(cell))).join(',')}\r\n`;
}

const NUMBER = /^-?\d+(\.\d+)?$/;
/** What starts a formula in one spreadsheet or another, also behind spaces, and in full width. */
const FORMULA = /^\s*[=+\-@|%＝＋－＠\t\r\n]/;

function written(cell: CsvCell): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell === 'number') return String(cell);
  return FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
