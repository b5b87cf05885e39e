/** Text from outside without our secrets, in whatever spelling it echoes them. Pure. */

/** What stands behind a word that announces a secret: a key, or what the service echoes of a header. */
const SECRET_WORDS =
  /((?:bearer|basic)\s+|(?:access_key|api_?key|token|secret|password|credential|intercom_hmac)"?\s*[:=]\s*"?)[^\s"',;&]+/gi;

/** `text` with every secret blanked, and with what is announced as one. */
export function redact(text: string, secrets: readonly string[]): string {
  let safe = text;
  for (const secret of secrets) {
    if (secret === '') continue;
    for (const form of spellingsOf(secret)) safe = safe.replace(caseInsensitive(form), '[secret]');
  }
  return safe.replace(SECRET_WORDS, '$1[secret]');
}

/** Whether `text` holds one of them in any spelling. */
export function holdsSecret(text: string, secrets: readonly string[]): boolean {
  return secrets.some(
    (secret) => secret !== '' && spellingsOf(secret).some((form) => caseInsensitive(form).test(text)),
  );
}

/** The spellings in which a secret may come back: as it is, and as addresses, JSON, pages and encoders write it. */
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
  // The longest first: a shorter one inside it would leave its rest behind.
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** The part of a base64 text that does not depend on what stands around the secret, for each way it may be cut. */
function base64Of(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
    const skip = shift === 0 ? 0 : shift + 1;
    const whole = Math.floor((bytes.byteLength * 8) / 6);
    const core = bytes.toString('base64').slice(skip, whole);
    // A short part would blank innocent words.
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
