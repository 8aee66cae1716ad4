/** Longest name, without its extension. File systems allow 255 bytes, and one character can take four. */
const maxCharacters = 60;

/** Control and format characters, and characters that some file system reserves. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"*/:<>?\\|%]+/gu;

/**
 * Makes the file name of an output from the deploy's slug and the job's business key. Letters of any script stay. The name is
 * shortened and valid on every file system.
 */
export function outputFileName({
  slug,
  businessKey,
}: {
  slug: string;
  businessKey: string;
}): string {
  const stem = `${slug}-${businessKey}`.normalize('NFC').replace(unsafe, '_');
  const shortened = [...stem]
    .slice(0, maxCharacters)
    .join('')
    .replace(/[. ]+$/, '');
  return `${shortened}.pdf`;
}
