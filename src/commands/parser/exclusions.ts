/** What a sentence leaves out, as in `all kiosks except kiosk-01` and `everything that is not windows`. Pure. */

const SURE =
  '(?:except(?:ing)?|exclud(?:e|ing)|other than|(?:apart|aside) from|besides|minus|without|(?:with|has|have) no|neither|but|(?<=s )save|skip(?:ping)?|leav(?:e|ing) out)';
const NOT = "(?:(?:that |which |who )?(?:are|is|do|does|have|has)(?: not|n['’]t)|not)";
const CONNECTOR = new RegExp(
  String.raw`(?<![-\w.#])(?:(?:(${SURE})(?: for)?|${NOT})(?= )|non(?= |-\w))`,
  'i',
);
const QUOTED = /"[^"]*"/g;
const BECAUSE = /\s+because\b.*$|\s*[.!?]*$/is;
/** Of `except db-01, update firefox everywhere`. */
const FIRST = /^(.+),\s*(?:and |then )*(.+)$|^(.+?) (?:and|then) (.+)$/is;
/** Of `non-windows servers`. */
const NON = /^[- ](\w+)(.*)$/s;
/** Words of `but leave db-01 alone`, which name nothing. */
const AROUND =
  /(?<![-\w])(?:not|leave|keep|touch|alone|out|ones?|running|using|tagged|belong(?:ing|s)?|part)(?![-\w])/gi;

/**
 * The first that there is, where it stands, and the rest; null: none. In quotes and in the reason there is none. `isSure`:
 * something is left out whatever follows; else only where a name does, unlike in `web-01 is not online`.
 */
export function exclusionIn(sentence: string) {
  const text = sentence.replace(BECAUSE, '');
  const found = CONNECTOR.exec(text.replace(QUOTED, (quoted) => '_'.repeat(quoted.length)));
  if (found === null) return null;
  const [connector, sure] = found;
  const before = text.slice(0, found.index).replace(/[\s,;(–—-]+$/, '');
  const after = text.slice(found.index + connector.length);
  const [, non, others = ''] = /^non$/i.test(connector) ? (NON.exec(after) ?? []) : [];
  const [, listed, next, one, then] = before === '' && non === undefined ? (FIRST.exec(after) ?? []) : [];
  const excluded = non ?? listed ?? one ?? after;
  const rest = next ?? then ?? `${before}${others}`;
  return {
    rest: rest.trim(),
    excluded: excluded.replace(AROUND, ' ').trim(),
    isSure: sure !== undefined,
    from: found.index,
    to: text.length - (next ?? then ?? others).length,
  };
}
