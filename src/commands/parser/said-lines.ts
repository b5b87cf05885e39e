/** Lines as people say them, such as `what happened to web-01?`, as the commands that answer them. Pure. */

const END = '[\\s?!.]*$';
/** None becomes a change: what would run is never guessed. The first that fits counts. */
const SAID: readonly (readonly [RegExp, string])[] = [
  [/\b(CVE-\d{4}-\d{4,})\b/i, 'missing $1'],
  [
    /^(?:show|list|see|get)(?: me)?(?: all| my| the| running| open)* (devices|alerts|approvals|rollouts|groups|policies)\b/i,
    '$1',
  ],
  [/^(?:approve|deny|resume|continue|decide|pending|waiting|stuck)\b/i, 'approvals'],
  [/^what(?:['’]?s| is| are)? .*\b(?:waiting|waits|pending|stuck|held)\b/i, 'approvals'],
  [/^my (?:requests|approvals)\b/i, 'approvals mine'],
  [/^(?:cancel|stop|withdraw|undo|retry|what did (?:i|we))\b/i, 'operations'],
  [
    new RegExp(`^(?:what happened (?:to|on|with)|history(?: of)?|timeline(?: of)?) (.+?)${END}`, 'i'),
    'device $1 timeline',
  ],
  [/^(?:which|what|how many|list)\b.*\bneeds? (?:a |to )?(?:reboot|restart)/i, 'devices is:needs-reboot'],
  [/^(?:which|what|how many|list)\b.*\boffline\b/i, 'devices is:offline'],
  [/^(?:what|which)\b.*\bfail(?:s|ed|ures?)?\b|^failures\b/i, 'alerts'],
  [
    new RegExp(
      `^(?:find|search(?: for)?|look ?up|user|where is|who (?:is using|uses|has|is on)) (.+?)${END}`,
      'i',
    ),
    'devices $1',
  ],
];

/** The command that answers it; null: none is known. */
export function saidLine(line: string): string | null {
  for (const [said, meant] of SAID) {
    const found = said.exec(line);
    if (found !== null) return meant.replace('$1', () => found[1] ?? '');
  }
  return null;
}
