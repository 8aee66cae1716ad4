/** Longest name without its ending; file systems allow 255 bytes, and one character can take four. */
const maxCharacters = 60;

/** Control and format characters, and what some file system reserves. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"*/:<>?\\|%]+/gu;

/** The name under which an output is saved: the deploy's slug and the caller's key, in any script, safe everywhere. */
export function outputFileName({
  slug,
  businessKey,
}: {
  slug: string;
  businessKey: string;
}): string {
  const stem = `${slug}-${businessKey}`.normalize('NFC').replace(unsafe, '_');
  const cut = [...stem]
    .slice(0, maxCharacters)
    .join('')
    .replace(/[. ]+$/, '');
  return `${cut}.pdf`;
}
