import { isDeepStrictEqual } from 'node:util';
import { currentPrintGeneration } from '../../contracts/processes/print-settings.ts';
import type { CommitBody, ExplicitPrintOptions } from '../../contracts/rest/schemas/commits.ts';
import { printOptionsSchema } from '../../contracts/rest/schemas/print-options.ts';
import type { DeployVersionWarning } from '../../contracts/rest/schemas/versions.ts';
import type { Queryable } from '../database/connection.ts';

/** The print options of a version, and a warning if a part of its commit was not applied. */
export interface VersionPrint {
  readonly print: ExplicitPrintOptions | null;
  readonly printGeneration: number;
  readonly warnings: readonly DeployVersionWarning[];
}

/** Reads the print options of a commit (REST 4.2): `render.print`, else `render.metadata.pdf` if that is valid print options. */
export function toVersionPrint({ print, metadata }: CommitBody['render']): VersionPrint {
  const pdf = metadata?.pdf;
  const isOptions = printOptionsSchema.safeParse(pdf).success;
  const applied = print ?? (isOptions ? (pdf as ExplicitPrintOptions) : undefined);
  // With render.print present, a metadata.pdf that is not print options is data of the caller.
  const isIgnored =
    pdf !== undefined && !isDeepStrictEqual(pdf, applied) && (isOptions || applied === undefined);
  return {
    print: applied ?? null,
    printGeneration: currentPrintGeneration,
    warnings: isIgnored ? [{ code: 'metadata_pdf_ignored', message: ignoredMessage(print) }] : [],
  };
}

const ignoredMessage = (print: ExplicitPrintOptions | undefined): string =>
  print
    ? 'render.metadata.pdf was not applied, because render.print says how the version is printed: send print options only there.'
    : 'render.metadata.pdf was not applied, because it is not print options: if it should be, send it as render.print, whose errors say what to correct.';

/** Selects the print options of a version. Old releases stored them in the metadata. */
export const selectPrint = (sql: Queryable, version: ReturnType<Queryable>) =>
  sql`case when ${version}.print_generation = 1 then ${version}.metadata -> 'pdf' else ${version}.print end as print`;
