/**
 * Undoes what Slack does to typed text on its way (slash commands with `should_escape`): links, mentions and
 * channels come wrapped in angle brackets, and `& < >` come escaped.
 */

/** `<!channel>` and its like stay as they are: Slack does not make them of typed text, but a device may be so named. */
const WRAPPED = /<((?:@|#|https?:|mailto:|tel:)[^<>|]*)(?:\|([^<>|]*))?>/gi;
const ENTITY = /&(amp|lt|gt);/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };

/**
 * The text as the person typed it, as far as Slack tells. A link that was pasted together with its brackets arrives
 * with those escaped, and is undone as well.
 */
export function unwrap(text: string): string {
  return text
    .replace(ENTITY, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(WRAPPED, (_whole, target: string, label: string | undefined) => typed(target, label ?? ''));
}

function typed(target: string, label: string): string {
  const sigil = target.startsWith('@') || target.startsWith('#') ? target.slice(0, 1) : '';
  if (label === '') return target.replace(/^(?:mailto|tel):/i, '');
  return label.startsWith(sigil) ? label : `${sigil}${label}`;
}
