import { join } from 'node:path';
import ts from 'typescript';
import { projectFolder } from './blocks.ts';

export interface TypeCheck {
  /** Absolute paths. */
  readonly files: readonly string[];
  readonly moduleResolution: 'NodeNext' | 'Bundler';
  /** Also checks the files whose paths include this. Other files that are imported are only read. */
  readonly alsoCheck?: string;
}

/** Checks TypeScript files as a project of its own would, and returns the messages of the errors, each with its file's name. */
export function findTypeErrors({ files, moduleResolution, alsoCheck }: TypeCheck): string[] {
  const program = ts.createProgram(files, {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022,
    module: moduleResolution === 'NodeNext' ? ts.ModuleKind.NodeNext : ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind[moduleResolution],
    lib: ['lib.es2022.d.ts'],
    types: ['node'],
    typeRoots: [join(projectFolder, 'node_modules/@types')],
  });
  const checked = program
    .getSourceFiles()
    .filter(
      ({ fileName }) => files.includes(fileName) || (alsoCheck && fileName.includes(alsoCheck)),
    );
  const diagnostics = checked.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  return [...program.getOptionsDiagnostics(), ...diagnostics].map(
    ({ file, messageText }) =>
      `${file?.fileName ?? 'options'}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  );
}
