import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const projectFolder = join(import.meta.dirname, '../..');

/** A fenced block of a Markdown file. */
export interface Block {
  /** The word after the fence, such as `sh`. */
  readonly language: string;
  readonly text: string;
}

/** Reads all fenced blocks of a Markdown file of the project, in order. */
export function readBlocks(file: string): Block[] {
  const text = readFileSync(join(projectFolder, file), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', body = '']) => ({
    language,
    text: body,
  }));
}

/**
 * Finds the only block of a language that includes a text.
 *
 * @throws Error if there is none, or more than one
 */
export function findBlock(blocks: readonly Block[], language: string, text = ''): Block {
  const found = blocks.filter((block) => block.language === language && block.text.includes(text));
  const [block] = found;
  if (!block || found.length > 1)
    throw new Error(`${found.length} blocks of ${language} include "${text}", not 1.`);
  return block;
}
