/** Lines as people say them, such as `what happened to web-01?`, as the commands that answer them. Pure. */

const END = '[\\s?!.]*$';
/** None becomes a change: what would run is never guessed. The first that fits counts. */
const SAID: readonly (readonly [RegExp, string])[] = [
  [/\b(CVE-\d{4}-\d{4,})\b/i, 'missing $1'],
  [
    /^(?:show|list|see|get)(?: me)?(?: all| my| the| running| open)* (devices|alerts|approvals|audit|events|groups|policies|rollouts|status)\b/i,
    '$1',
  ],
  [/^(?:approve|deny|reject|resume|yes$|continue|decide|pending|waiting|stuck)\b/i, 'approvals'],
  [/^what(?:['’]?s| is| are)? .*\b(?:waiting|waits|pending|stuck|held)\b/i, 'approvals'],
  [/^my (?:requests|approvals)\b/i, 'approvals mine'],
  [/^(?:close|ack(?:nowledge)?|resolve) (?:the |an? )?alerts?\b/i, 'alerts'],
  [new RegExp(`^who (?:is using|uses|is on) (.+?)${END}`, 'i'), 'device $1'],
  [/^(settings|changing|filters)$/i, 'help $1'],
  [/^when (?:was|did|has) (\S+) /i, 'device $1 timeline'],
  [/^(?:disks?|disk space|free space|storage|volumes)(?: on| of| for)? (\S+)[?]?$/i, 'device $1 volumes'],
  [
    /^(?:cancel|stop|who (?:asked|requested|approved|rebooted|patched)|withdraw|undo|retry|what did (?:i|we))\b/i,
    'operations',
  ],
  [
    new RegExp(`^(?:what happened (?:to|on|with)|history(?: of)?|timeline(?: of)?) (.+?)${END}`, 'i'),
    'device $1 timeline',
  ],
  [/^(?:which|what|how many|list)\b.*\bneeds? (?:a |to )?(?:reboot|restart)/i, 'devices is:needs-reboot'],
  [/^(?:which|what|how many|list)\b.*\bmissing (?:patches|updates)\b/i, 'devices is:pending'],
  [/^(?:what|which) \w+ (?:do|does|has|is) (\S+) (?:have|use|own|using)\b/i, 'devices $1'],
  [/^(?:which|what|how many|list)\b.*\boffline\b/i, 'devices is:offline'],
  [/^(?:what|which)\b.*\bfail(?:s|ed|ures?)?\b|^(?:failures\b|failed (?:patches|updates))/i, 'alerts'],
  [new RegExp(`^(?:find|search(?: for)?|look ?up|user|where is|who has) (.+?)${END}`, 'i'), 'devices $1'],
];

/** What is asked for in other words: offered with its form, never requested. */
const ASKED: readonly (readonly [RegExp, string])[] = [
  [/^(?:schedule|request|do|run) (?:an?|the) (\w+) (?:of|on|for) (.+)$/is, '$1 $2'],
  [/^(?:install|update|upgrade) (?:all )?(?:patches|updates) on (.+)$/is, 'patch $1'],
  [/^(?:install|update|upgrade) (.+?) on (.+)$/is, 'patch $2 $1'],
  [/^(?:update|upgrade) (.+)$/is, 'patch $1'],
  [/^(?:send|post) (?:the )?alerts (?:to|in) (\S+)$/is, 'subscribe $1 patch-failed'],
  [/^(?:restart|bounce|power ?cycle) (\S+(?: because .*)?)$/is, 'reboot $1'],
];

const POLITE = /^(?:please|pls|can you|could you|i (?:want|need|would like) to)(?: please)? +/i;

/** The command that answers it; null: none is known. */
export const saidLine = (line: string): string | null => lineOf(SAID, line.replace(POLITE, ''));

/** The change that is asked for; null: none is known. */
export function askedLine(line: string): string | null {
  const plain = line.replace(POLITE, '');
  return lineOf(ASKED, plain) ?? (plain === line ? null : plain);
}

function lineOf(known: typeof SAID, line: string): string | null {
  for (const [said, meant] of known) {
    const found = said.exec(line);
    if (found !== null) return meant.replace(/\$(\d)/g, (_, at) => found[Number(at)] ?? '');
  }
  return null;
}
