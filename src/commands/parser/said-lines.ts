/** Lines as people say them, such as `what happened to web-01?`, as the commands that answer them. Pure. */
import type { NotDone } from '../../views/models/problem-model.ts';

/** What several patterns have in common, as `<name>`. */
const PARTS: Readonly<Record<string, string>> = {
  END: '[\\s?!.]*$',
  DEVICES: '(?:devices|machines|computers|servers|laptops)',
  REBOOT: 're(?:boot|start)(?:s|ed)?\\b',
  DECIDE: '(?:approve|deny|reject|resume|continue|decide)',
  LOOKS:
    '(devices|alerts|approvals|audit|events|groups|policies|rollouts|operations|compliance|subscriptions)',
  NEVER: "(?:\\bnot|\\bnever|n['’]t)\\b.*\\b",
  SEEN: '(?:seen|checked in|online)\\b',
  SEVERITY: '(critical|high|medium|low)(?:[- ]severity)?',
  LACKING: '(?:missing|pending|available|outstanding|needed)',
  POSTED: '(?:alerts?|events?|notifications?)',
  PATCHES: '(?:patches|updates)',
  PERIOD: String.raw`(?<![-\w.#])(?:(?:for|(?<!checked )in|over|within|during|since|of|on|about|the|more than|longer than|at least) )*(?:(?:\d+ ?(?:[hdwm]|min)|(?:\d+|an?|one|two|three|few|several) (?:minute|hour|day|week|month|year)s?|today|yesterday|tonight|(?:this|last|past) (?:\d+ )?(?:morning|night|hour|day|week|month|year|weekend)s?|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|since\b)`,
};

/** None becomes a change: what would run is never guessed. The first that fits, without its time or with it, counts. */
const SAID = rows(String.raw`
  (?:\boffline\b|<NEVER><SEEN>).*\b(?:30 days|(?:a|one|1|this|last|past) month)<END> => devices is:stale
  ^<DECIDE>\b => approvals
  (CVE-\d{4}-\d{4,}(?:[\s,]+(?:(?:and|or) )?CVE-\d{4}-\d{4,})*|\bKB\d{6,8}\b) => missing $1
  \b<SEVERITY> (?:patch|update|vuln|cve) => missing severity:$1
  ^(?:(?:who|what|which role) (?:am|have) i|who (?:can|may) .*|(?:who|what) (?:is|are) .*\b(?:approver|admin|operator|viewer|role|allowed)s?\b.*|(?:my )?(?:roles?|rights|permissions?)|\?|what|show|how|who|am|is|let|whoami|commands|menu|docs|config)<END> => help
  ^(?:make|set|add|let|allow|grant|give|remove) .*(?:\b(?:users?|viewer|operator|approver|admin)\b|[@]\S)|^(?:let|allow)\b|^(?:am|may|can) I\b|^what(?: can| may|(?: is|['’]?s) my role)\b|^how (?:do|does|to)\b => help
  ^(?:(?:show|list|see|get)(?: me)? (?:the )?group|groups) (.+)$ => group $1
  ^(?:show|list|see|get|export)(?: me)?(?: all| my| the| running| open)* (?:<LOOKS>|(status))\b => $1$2
  ^(?:(?:which|what|how many|list|<DEVICES>)\b.*\b)?(?:pending|needs?) (?:a |to )?<REBOOT>|^<REBOOT> (?:required|needed)<END> => devices is:needs-reboot
  ^(?:<DEVICES>|(?:which|what|how many|list|csv|export)\b.*\b<DEVICES>)\b.*\b(?:missing|pending) (?:patches|updates)\b|^what needs (?:patch|updat)|^(?:unpatched|outdated)\b => devices is:pending
  ^(?:show |list |top |all |which |what |how many |the )*(?:<LACKING> <PATCHES>|<PATCHES> (?:are |is )?<LACKING>)\b => missing severity:critical,high,medium,low
  ^(?:pending|waiting|stuck)\b|^(?:yes|my approvals|ok|to ?do|inbox|my queue|show pending)$ => approvals
  ^(?:what(?:['’]?s| is| are)?|anything) .*\b(?:waiting|waits|pending|stuck|held|for me|to approve|(?:my|an) approval)\b => approvals
  ^my requests\b|^(?:cancel|undo|withdraw)\b(?!.*\brollout) => approvals mine
  \b(?:I|we|(?:my|our) team|any(?:body|one)|people|who)\b.*\b(?:approved|denied|changed)\b|\bdid (?:I|we|(?:my|our) team|any(?:body|one))\b.*\b(?:approve|deny|change|do)\b => audit
  ^(?:ack(?:nowledge)?|close|resolve) (?:the |an? )?alerts?\b => alerts
  ^(?:mute|snooze|turn off|stop) (?:all |the )?(?:alerts?|notifications?)\b => help silence
  ^(?:stop (?:everything|all)|freeze|pause (?:everything|all)|maintenance mode)\b => help pause
  ^(settings|changing|filters)$ => help $1
  ^patch status (?:of |for )?(.+)$ => packages $1
  ^explain (?:the )?package (.+?)<END> => missing $1
  \b(?:patch|maintenance) windows?\b|^next (?:patch|run)|^schedules?$ => policies
  ^(?:is|are) .*(?:up|down|working|connected|healthy|ok(?:ay)?|fine)<END> => status
  ^(?:cancel|stop|who (?:asked|requested|approved|re(?:boot|start)ed|patched|scanned)|undo|retry|what did|did the)\b => operations
  ^(?:how (?:far|long)|where) (?:is|are)\b.*\b(?:rollout|patch|reboot|scan)|^what(?:['’]?s| is| are)? (?:runs|running|in progress|going on|happening|new|changed)\b|^what happened<END>|^(?:rollout|activity|history|logs?|(?:rollout status|pause rollout|show requests).*)$ => operations
  ^(?:what happened (?:to|on|with)|history(?: of)?|timeline(?: of)?) (.+?)<END> => device $1 timeline
  <NEVER><SEEN>|\boffline <PERIOD>|^(?:(?:which|what|who|how many|list|<DEVICES>)\b.*)?\boffline\b => devices is:offline sort:seen
  <NEVER>(?:patched|updated)\b => devices is:pending
  <NEVER><REBOOT> => devices is:needs-reboot
  ^(devices|missing|packages|policies|groups|audit|events) (.*?)(?:as |to )?(?:csv|export|excel)<END> => $1 $2
  <NEVER>(?:get|see|receiv|post|send)\w*\b.*\b<POSTED>|\b<POSTED>\b.*<NEVER>(?:post|sent|send|arriv|com(?:e|ing)|show)|^no <POSTED>\b => subscriptions
  ^(?:the )?(?:bot|patchbay)\b.*(?:<NEVER>|\bbroken) => status
  \b(?:which|what) channels?\b|\bwho gets\b.*\balerts?\b => subscriptions all
  \bunmute|\b(?:silences?|silenced|muted)\b => subscriptions
  ^(online|noncompliant|unmanaged|stale)(?: <DEVICES>)?<END> => devices is:$1
  ^(?:new|(?:recently )?added)(?: (?:devices|machines)\b|<END>) => events name:device-added
  \b(?:commands?|requests?|reboots?|scans?|rollouts?)\b.*\bfail(?:s|ed|ures?)?\b|\bfailed (?:commands?|requests?|reboots?|scans?) => operations
  \b(?:got|gets?|was|were|been|did)\b.*\b(?:patched|updated|installed)\b|^did (?:the |any )?(?:patches|updates)\b => events name:patch-installed
  ^(?:what|which|show|any|list)\b.*\bfail(?:s|ed|ures?)?\b|^(?:failures\b|failed<END>|failed (?:patches|updates|devices)) => events name:patch-failed
  ^(?:who|which <DEVICES>|<DEVICES>) (?:need(?:s|ing)?|lack(?:s|ing)?|(?:is |are )?missing) (.+?)<END> => missing $1
  ^<LOOKS> (?:logs?|trail|list|report|overview|summary|page)<END> => $1
  ^patch compliance\b => compliance groups
  ^run (?:a |the )?(?:script|worklet)\b => help policy-remediate
  ^(?:scan|patch|reboot) (?:all|every|everything)(?: <DEVICES>)?<END> => devices
  ^my (?:devices?|laptop|computer) => help filters
  ^(?:how many|all) (?:devices|computers|machines)(?: (?:do|are there)\b|<END>) => devices
  ^devices (?:in|of|from) (?:the )?(.+?)<END> => devices group:"$1"
  ^how many (.+?) (?:do we have|are there)<END> => devices group:"$1"
  ^(?:find|search(?: for)?|look ?up|user|where is) (.+?)<END> => devices $1
  \bpolic(?:y|ies)\b => policies
`);

/** Lines that begin like a command and are none. */
const SENTENCES = rows(String.raw`
  ^subscribe (?:this|the|to)\b|^devices (?:in|of|from) \w|^devices (?:that|which|who|without|missing|lacking|needing|not|never|haven|with|offline)\b(?!:) =>
  ^<REBOOT> (?:required|needed)<END>|^(?:scan|patch|reboot) (?:all|every|everything)(?: <DEVICES>)?<END> =>
  ^(?:groups|patch status|pause (?:rollout|everything|all)|(?:patch )?compliance (?:report|for|of))\b =>
  ^patch compliance<END>|^missing (?:patches|updates)\b|^explain (?:the )?package \w|^<LOOKS> (?:logs?|trail|list|report|overview|summary|page)<END> =>
  ^(?:devices|missing|packages|policies|groups|audit|events)\b.* (?:csv|export|excel)<END> =>
`);

/** What a line is about that nothing else answers. */
const TOPICS = rows(String.raw`
  \bsubscri|\bnotif => help subscribe
  \balerts?\b => alerts
  \bcomplian => compliance
  \b(?:risk\w*|vulnerab\w+|exposed|security|urgent|critical)\b => missing severity:critical,high
  \b(?:version|logs|api|key|token|slack|service|healthy?|connect(?:ed|ion)?|reachable)\b|^(?:test|ping)$ => status
  \b(?:roles?|users?|permissions?|approvers?|admins?|rights)\b => help
  \b(?:set ?up|get(?:ting)? started|configur\w+|install(?:ation)?)\b => help
  \bmy\b.*\b(?:<REBOOT>|patch|rollout|request) => approvals mine
  \b(?:rollouts?|commands?|queue|my .*\bscans?)\b => operations
  ^(?:request|patch|reboot|scan)\b => help changing
  \b(?:approvals?|approve|requests?)\b => approvals
  \b(?:patch|update)\w*\b.*\b<DEVICES>\b|\b(?:patches|updates)\b => devices is:pending
  \b(?:summary|overview|fleet|inventory|<DEVICES>)\b => devices
  \b(?:audit|log)\b => audit
`);

/** What people ask for that is not done here, by what is said about it. */
const CANNOT: readonly (readonly [what: NotDone, said: RegExp])[] = [
  ['remove-software', /^(?:uninstall|remove|delete)\b.* (?:from|on)\b|^uninstall\b/i],
  [
    'installed',
    /\binstalled\b|^(?:who|which \w+|what \w+|devices) (?:has|have|uses?|runs?|with) (?!.*\b(?:not|never|been|missing|patch|update|old|outdated|vulnerab|pending|fail))|\b(?:older|newer|lower|below) than? ?v?\d[\d.]*\b(?! ?(?:minute|hour|day|week|month|year))/i,
  ],
  ['lock', /^(?:lock|wipe|erase|locate|track)\b/i],
  ['remind', /^remind\b/i],
  ['request-alerts', /^(?:notify|tell|alert|ping|message) me\b.*\b(?:requests?|approv\w+)\b/i],
  [
    'repeat',
    /\b(?:every|each) (?:day|night|week|month|morning|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|\b(?:at night|on weekends|overnight|quiet hours)\b/i,
  ],
  [
    'own-settings',
    /^(?:change|set|rotate|replace|renew|edit|enter|where)\b.*\b(?:api|tokens?|keys?|secrets?|credentials?)\b(?!-)/i,
  ],
  ['test-alert', /\btest (?:alert|message|notification)/i],
  [
    'approval-rules',
    /^(?:require|enforce)\b.*\bapprov|\bapprove (?:my|your|their) own\b|\bneeds? (?:an )?approval\b|\bapproval (?:rules?|policy|policies)\b/i,
  ],
];

/** Words that patterns speak of, in other forms too. */
export const SPOKEN = new RegExp(
  `^(?:re)?(?:${[...SAID, ...TOPICS].flatMap(({ literals }) => literals).join('|')})(?:e?[srd]|ers|ing|y|ies|t|ce|le|ilit(?:y|ies)|ation)?$`,
  'i',
);

export const PERIOD = new RegExp(withParts('<PERIOD>'), 'i');
/** How many days back a time in words goes. */
const DAYS = rows(String.raw`
  \b(\d+) ?d(?:ays?)?\b => $1
  \byesterday\b => 2
  \b(?:today|tonight|(?:this|last) (?:morning|night))\b => 1
  \bweek\b => 7
`);
const POLITE =
  /^(?:please|pls|can you|could you|i (?:want|need|would like) to|how (?:do|can|would) (?:i|we|you))(?: please)? +/i;

/** Characters of a line that may be a sentence: the work for a longer one grows with its square (0.4 s for 3,000). */
const MAX_SENTENCE = 300;

const BECAUSE = / because /i;
export const REASON = /(?:\bbecause\b|(?<=: )).*$/is;
const COURTESY = /(\S)(?:[\s,]+(?:please|pls|plz|thanks|thank you|thx))+[\s.!]*$/i;
/** What a person says of a device after its name. */
const COMPLAINT = /, (?=(?:it|he|she|they|we|i)(?:['’]s)? )/i;

/** The line without thanks, and with what follows a comma as its reason: neither names a device. */
export const withoutCourtesy = (line: string): string =>
  line.length > MAX_SENTENCE || BECAUSE.test(line)
    ? line
    : line.replace(COURTESY, '$1').replace(COMPLAINT, ' because ');

export const withoutPoliteness = (line: string): string => line.replace(POLITE, '');

/** The command that answers it. */
export function saidLine(typed: string): string | null {
  if (typed.length > MAX_SENTENCE) return null;
  const line = withoutPoliteness(typed);
  const said = line.replace(REASON, '');
  const meant = lineOf(SAID, said.replace(PERIOD, '').trim(), said);
  if (meant === null) return null;
  const days = TAKES_DAYS.test(meant) ? lineOf(DAYS, line) : null;
  return days === null ? meant : `${meant} days:${days}`;
}

const TAKES_DAYS = /^(?:alerts|audit|events name:\S+)$/;

/** Whether a line that begins like a command is none. */
export const isSentence = (line: string): boolean =>
  lineOf(SENTENCES, line) !== null && (saidLine(line) ?? askedLine(line) ?? notDone(line)) !== null;

const TOLD = /^(?:subscribe|send|post|route|forward|alert|notify|tell|inform|ping|warn|let)\b/i;
const CHANNEL = /(?:^| )(<#[^>]+>|#[^\s,.]+|this channel\b|here\b|me\b)/i;
const EVENTS: readonly (readonly [said: RegExp, event: string])[] = [
  [/\b(?:patch|update)\w*\b.*\bfail|\bfail\w*\b.*\b(?:patch|update)/i, 'patch-failed'],
  [/\bnew (?:devices?|machines?|computers?|laptops?|servers?)\b/i, 'device-added'],
];

/** The subscription of the channel that is to get alerts; null: none is asked for. */
export function askedLine(typed: string): string | null {
  const line = withoutPoliteness(typed);
  const [, channel] = CHANNEL.exec(line) ?? [];
  const events = EVENTS.flatMap(([said, event]) => (said.test(line) ? [event] : []));
  if (channel === undefined || !TOLD.test(line) || (events.length === 0 && !/\balerts?\b/i.test(line)))
    return null;
  return ['subscribe', channel.replace(/^this channel$/i, 'here'), ...events].join(' ');
}

/** The command of what it is about. */
export const topicLine = (line: string): string | null => lineOf(TOPICS, line);

/** What lists the devices where a change asks for all of them, without saying which. */
export const listOfAll = (line: string): string | null =>
  /\b(?:all|every(?:thing)?)\b/i.test(line) ? topicLine(line) : null;

/** What it asks for is not done here; null: nothing known. */
export function notDone(line: string): NotDone | null {
  const asked = withoutPoliteness(line);
  return CANNOT.find(([, said]) => said.test(asked))?.[0] ?? null;
}

/** Each line of the text is a pattern and what it means. */
function rows(text: string) {
  return text
    .trim()
    .split('\n')
    .map((row) => {
      const [said = '', meant = ''] = row.trim().split(/ => ?/);
      const whole = withParts(withParts(said));
      const literals = whole.replace(/\\\w/g, ' ').match(/[a-z]{3,}/gi) ?? [];
      return { said: new RegExp(whole, 'is'), literals, meant };
    });
}

/** A part may have others in it. */
function withParts(said: string): string {
  return said.replace(/<([A-Z]+)>/g, (_, name) => PARTS[name] ?? '');
}

function lineOf(known: typeof SAID, line: string, whole = line): string | null {
  if (line.length > MAX_SENTENCE) return null;
  for (const { said, meant } of known) {
    const found = said.exec(line) ?? said.exec(whole);
    if (found !== null) return meant.replace(/\$(\d)/g, (_, at) => found[Number(at)] ?? '');
  }
  return null;
}
