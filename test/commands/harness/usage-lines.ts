/** Lines that follow a usage text. */

/** Replaces a placeholder in capitals, given the key before it. */
export type UsageValues = (placeholder: string, key: string | null) => string;

/**
 * Lines that a usage allows: one without optional parts, then one for each optional part and each alternative. ` | `
 * separates whole lines; `[…]` is optional; `|` inside a word or brackets separates alternatives.
 */
export function usageLines(usage: string, fill: UsageValues): readonly string[] {
  const [name = ''] = usage.split(' ');
  return splitTopLevel(usage.slice(name.length).trim(), ' | ').flatMap((whole) =>
    variants(whole).map((rest) => `${name} ${fillUsage(rest, fill)}`.trim()),
  );
}

/** Splits at `by`, outside of brackets. */
function splitTopLevel(text: string, by: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '[') depth += 1;
    if (text[at] === ']') depth -= 1;
    if (depth === 0 && text.startsWith(by, at)) {
      parts.push('');
      at += by.length - 1;
    } else parts.push(`${parts.pop()}${text[at]}`);
  }
  return parts;
}

/**
 * The first alternative of each choice without optional parts, then each other alternative and each optional part
 * alone.
 */
function variants(sequence: string): readonly string[] {
  const items = splitTopLevel(sequence, ' ').filter((item) => item !== '');
  const all = items.map((item) =>
    item.startsWith('[') ? choices(item.slice(1, -1)).flatMap(variants) : choices(item),
  );
  const plainest = items.map((item, at) => (item.startsWith('[') ? '' : (all[at]?.[0] ?? '')));
  const others = all.flatMap((each, at) => each.map((one) => plainest.with(at, one)));
  const lines = [plainest, ...others].map((words) => words.filter((word) => word !== '').join(' '));
  return [...new Set(lines)];
}

/** `is:a|b` is `is:a` or `is:b`, `PACKAGE|cve:CVE` is either, `device NAME|#ID` is `device` with either. */
function choices(text: string): readonly string[] {
  const [first = '', ...others] = splitTopLevel(text, '|');
  const before = /^[a-z]+ (?=[^ ]+$)/.exec(first)?.[0] ?? '';
  if (before !== '' && others.length > 0 && others.every((one) => !one.includes(' ')))
    return choices(text.slice(before.length)).map((one) => `${before}${one}`);
  const key = /^[a-z-]+:/.exec(first)?.[0] ?? '';
  return [first, ...others.map((one) => (/^[a-z-]+:/.test(one) ? one : `${key}${one}`))];
}

function fillUsage(line: string, fill: UsageValues): string {
  return line
    .replaceAll(' …', '')
    .replaceAll(
      /(?:([a-z-]+):)?(#?[A-Z]+(?:-…)?)/g,
      (_whole, key: string | undefined, placeholder: string) =>
        `${key === undefined ? '' : `${key}:`}${fill(placeholder, key?.replace(/^-/, '') ?? null)}`,
    );
}
