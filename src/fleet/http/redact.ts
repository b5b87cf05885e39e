/** Removes our secrets from text of others, in whatever encoding it repeats them. Pure. */

/** A word that announces a secret, with the value after it: a key, or a header that the service repeats. */
const SECRET_WORDS =
  /((?:bearer|basic)\s+|(?:access_key|api_?key|token|secret|password|credential|intercom_hmac)"?\s*[:=]\s*"?)[^\s"',;&]+/gi;

/** `text` with every secret blanked, and every value that is announced as one. */
export function redact(text: string, secrets: readonly string[]): string {
  let safe = text;
  for (const secret of secrets) {
    if (secret === '') continue;
    for (const form of spellingsOf(secret)) safe = safe.replace(caseInsensitive(form), '[secret]');
  }
  return safe.replace(SECRET_WORDS, '$1[secret]');
}

/** Whether `text` holds one of the secrets in any encoding. */
export function holdsSecret(text: string, secrets: readonly string[]): boolean {
  return secrets.some(
    (secret) => secret !== '' && spellingsOf(secret).some((form) => caseInsensitive(form).test(text)),
  );
}

/** The encodings in which a secret may come back: as it is, and as URLs, JSON, HTML and encoders write it. */
function spellingsOf(secret: string): readonly string[] {
  const inAddress = encodeURIComponent(secret);
  const escaped = JSON.stringify(secret).slice(1, -1);
  const forms = [
    secret,
    inAddress,
    encodeURIComponent(inAddress),
    escaped,
    escaped.replaceAll('/', '\\/'),
    Array.from(secret, htmlEscape).join(''),
    Buffer.from(secret).toString('hex'),
    ...base64Of(secret),
  ];
  // Longest first: replacing a shorter one inside it would leave the rest readable.
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** The part of a base64 text that does not depend on the bytes around the secret, for each of the three alignments. */
function base64Of(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
    const skip = shift === 0 ? 0 : shift + 1;
    const whole = Math.floor((bytes.byteLength * 8) / 6);
    const core = bytes.toString('base64').slice(skip, whole);
    // A short part would blank harmless words.
    return core.length < 8 ? [] : [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function htmlEscape(character: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return names[character] ?? character;
}

function caseInsensitive(form: string): RegExp {
  return new RegExp(form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gi');
}
