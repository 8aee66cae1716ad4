/** Reads a variable that `npm test` sets for every suite. */
export function requireEnv(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests by \`npm test\`.`);
  return value;
}
