/** Prints a table to the console. The first row is the head, the first column names the rows. */
export function printTable(title: string, rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  console.log(['', title, '', ...lines].map((line) => `    ${line}`.trimEnd()).join('\n'));
}
