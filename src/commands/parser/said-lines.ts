/** Lines as people say them, such as `what happened to web-01?`, as the commands that answer them. Pure. */
import { NOT_DONE, type NotDone } from '../../lib/not-done.ts';
import { exclusionIn } from './exclusions.ts';

/** What several patterns have in common, as `<name>`. */
const PARTS: Readonly<Record<string, string>> = {
  END: '[\\s?!.]*$',
  DEVICES: '(?:devices|machines|computers|servers|laptops)',
  REBOOT: 're(?:boot|start)(?:s|ed)?\\b',
  DECIDE: '(?:approve|deny|reject|resume|continue|decide)',
  LOOKS:
    '(devices|alerts|approvals|audit|events|groups|policies|rollouts|operations|compliance|subscriptions)',
  NEVER: "(?:\\bnot|\\bnever|n['’]t)\\b.*\\b",
  NO: "(?:\\b(?:not|no|without|never)|n['’]t)\\b",
  SEEN: '(?:seen|check(?:ed)? in|online)\\b',
  UNSEEN:
    '(?:<NEVER>(?:seen|check(?:ed)?[- ]in|report\\w*|respond\\w*|contact\\w*|heard)|\\b(?:silent|inactive|dormant|idle|(?:gone|went) (?:dark|quiet|silent)))\\b',
  SEVERITY: '(critical|high|medium|low)(?:[- ]severity)?',
  WHO: '(?![^ ]*\\d)[^ ]+',
  LACKING: '(?:missing|pending|available|outstanding|needed)',
  LOG: '(?:logs?|trail|list|report|overview|summary|page)',
  ROLES: '(?:roles?|permissions?|rights|approvers?|admins?|operators|viewers)',
  POSTED: '(?:alerts?|events?|notifications?)',
  BEYOND:
    '(?<![-\\w.#])(?:passwords?|passcode|accounts?|[m2]fa|vpn|wi-?fi|print(?:ers?|ing| spooler)|licen[sc]es?|bitlocker|filevault|(?:en|de)crypt\\w*|anti-?virus|malware|virus(?:es)?|firewall|backups?|remote (?:control|desktop|session|access|support)|screens?(?: ?shar\\w*)?)(?![-\\w])',
  PATCHES: '(?:patches|updates)',
  PATCH: '(?:patch(?:es)?|updates?|vulnerabilit\\w+|cves?)',
  PERIOD: String.raw`(?<![-\w.#])(?:(?:for|(?<!checked )in|over|within|during|since|of|on|about|the|more than|longer than|at least) )*(?:(?:\d+ ?(?:[hdwm]|min)|(?:\d+|an?|one|two|three|few|several) (?:minute|hour|day|week|month|year)s?|today|yesterday|tonight|(?:this|last|past) (?:\d+ )?(?:morning|night|hour|day|week|month|year|weekend)s?|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|since\b)`,
};

/** Lines whose answer is what is not so. */
const NEGATED = rows(String.raw`
  <NO>.*\b(?:need\w*|requir\w*|pending)\b.*<REBOOT>|\b(?:no|without)(?: an?| any)? <REBOOT> => devices -is:needs-reboot
  <NO>.*\boffline\b => devices is:online
  \bnot (?:yet )?(?:approved|decided)\b => approvals
  ^(?:do not|don['’]?t|never|stop) (?:send|post|notif|subscrib|tell|ping|messag|alert) => subscriptions all
  <NO>.*\bcompliant\b => devices is:noncompliant
  ^(?:(?:which|what|list|show) )?groups\b.*<NO>(?: an?| any)? polic => groups
  <NO>.*\bmanaged\b|<NO>(?: an?| any)? polic(?:y|ies)<END> => devices is:unmanaged
  <NO>(?: get| be)? install => events name:patch-failed
  ^(?:(?:which|what|show|list) )?(?:missing )?<PATCHES>\b.*<NO> critical<END> => missing severity:high,medium,low
  <NO> (?:(?:have|has|miss|any|<LACKING>|need|needing) )*<SEVERITY> <PATCHES> => devices -missing:$1
  <NO>.*\bup[- ]to[- ]date\b|^(?:is|are) (?:all|every)\w*\b.*\bup[- ]to[- ]date\b => devices is:pending
  <NO> (?:(?:have|has|miss|any|<LACKING>|need|needing) )*<PATCHES>\b|\b(?:fully|completely) (?:patched|updated)\b|\bup[- ]to[- ]date\b => devices -is:pending
`);

/** None becomes a change: what would run is never guessed. The first that fits, without its time or with it, counts. */
const SAID = rows(String.raw`
  \boffline\b.*\b(?:30 days|(?:a|one|1|this|last|past) month)<END>|<UNSEEN>.*<PERIOD> => devices is:stale
  ^<SEVERITY>(?: (?:ones?|only))*<END> => missing severity:$1
  ^<DECIDE>\b => approvals
  (CVE-\d{4}-\d{4,}(?:[\s,]+(?:(?:and|or) )?CVE-\d{4}-\d{4,})*|\bKB\d{6,8}\b) => missing $1
  \b<SEVERITY> (?:patch|update|vuln|cve) => missing severity:$1
  ^(?:who (?:can|may) .*|(?:who|what) (?:is|are) .*\b(?:approver|admin|operator|viewer|role|allowed)s?\b.*|(?:who|what|which)(?: (?:the|our|an?|has|have|users?|people|are|can be))* (?:approver|admin|operator|viewer|role|permission)s?\b.*|(?:list |show )?(?:the |all )*<ROLES>)<END> => help roles
  ^(?:make|set|add|grant|give|remove|promote|demote|revoke|appoint) .*(?:\b(?:users?|roles?|viewers?|operators?|approvers?|admins?)\b|[@]\S) => help roles
  ^(?:(?:who|what|which role) (?:am|have) i|my (?:roles?|rights|permissions?)|\?|what|show|how|who|am|is|let|whoami|commands|menu|docs|config)<END> => help
  ^(?:let|allow)\b|^(?:am|may|can) I\b|^what(?: can| may|(?: is|['’]?s) my role)\b|^how (?:do|does|to)\b => help
  ^(?:(?:show|list|see|get)(?: me)? (?:the )?group|groups) (.+)$ => group $1
  ^(?:show|list|see|get|export)(?: me)?(?: all| my| the| running| open)* (?:<LOOKS>|(status))\b => $1$2
  ^(?:(?:which|what|how many|list|<DEVICES>)\b.*\b)?(?:pending|needs?|(?:await|wait(?:s|ing)? for|due for)(?:ing)?) (?:a |to )?<REBOOT>|^<REBOOT> (?:required|needed)<END>|^re(?:boot|start)(?:s|ing)<END> => devices is:needs-reboot
  ^(?:<DEVICES>|(?:which|what|how many|list|csv|export)\b.*\b<DEVICES>)\b.*\b(?:missing|pending) (?:patches|updates)\b|^what needs (?:patch|updat)|^(?:unpatched|outdated)\b => devices is:pending
  ^(?:show |list |top |all |which |what |how many |the )*(?:<LACKING> <PATCHES>|<PATCHES> (?:are |is )?<LACKING>)\b|^(?:<PATCHES>|upgrades|patching|updating)<END> => missing severity:critical,high,medium,low
  ^(?:pending|waiting|stuck)\b|^(?:yes|my approvals|ok|to ?do|inbox|my queue|show pending)$ => approvals
  ^(?:what(?:['’]?s| is| are)?|anything) .*\b(?:waiting|waits|pending|stuck|held|for me|to approve|(?:my|an) approval)\b => approvals
  ^(?:what did <WHO> (?:request|ask(?: for)?|approve|deny|do|change)|approved|denied|(?:my )?approvals? (?:history|log)|history of (?:the )?(?:approvals|requests)|(?:all |the )?(?:approvals?|requests|decisions)\b(?! (?:older|newer|waiting|pending|open)).*<PERIOD>) => audit
  ^missing (.+?) (?:on|in|for|at)\b => missing $1
  ^my requests\b|^(?:cancel|undo|withdraw)\b(?!.*\brollout) => approvals mine
  \b(?:I|we|(?:my|our) team|any(?:body|one)|people|who)\b.*\b(?:approved|denied|changed)\b|\bdid (?:I|we|(?:my|our) team|any(?:body|one))\b.*\b(?:approve|deny|change|do)\b => audit
  ^(?:ack(?:nowledge)?|close|resolve) (?:the |an? )?alerts?\b => alerts
  ^(?:unacknowledged|open|active|unread) alerts?\b => alerts
  ^(?:mute|snooze|turn off|stop) (?:all |the )?(?:alerts?|notifications?)\b => help silence
  ^(?:stop (?:everything|all)|freeze|pause (?:everything|all|patching|updates|reboots|changes)|maintenance mode)\b => help pause
  ^(settings|changing|filters)$ => help $1
  ^patch status (?:of |for )?(.+)$ => packages $1
  ^explain (?:the )?package (.+?)<END> => missing $1
  \b(?:patch|maintenance) windows?\b|^next (?:patch|run)|^schedules?$ => policies
  ^(?:is|are) (?:we|you|it|patchbay|slack|everything)\b.*\b(?:connected|online|running|working)\b => status
  ^(?:is|are) .*(?:up|down|working|connected|healthy|ok(?:ay)?|fine)<END> => status
  ^(?:are you|(?:is|does) .*\b(?:api|key|token|connection|bot|patchbay|slack|database|service)\b.*) (?:there|alive|online|reachable|available|valid|expired|broken|running|works|work)<END> => status
  ^(?:test|check|verify|reach|talk to|connect(?:ion)?|health|why are you)\b.*\b(?:api|key|token|connect(?:ion)?|slack|service|database|health|check|answer(?:ing)?)\b|^(?:test|check) (?:the |your )?(?:bot|patchbay)\b => status
  ^(?:cancel|stop|who (?:asked|requested|approved|re(?:boot|start)ed|patched|scanned)|undo|retry|what did|did the)\b => operations
  ^(?:how (?:far|long)|where) (?:is|are)\b.*\b(?:rollout|patch|reboot|scan)|^what(?:['’]?s| is| are)? (?:runs|running|in progress|going on|happening|new|changed)\b|^what happened<END>|^(?:rollout|activity|history|logs?|(?:rollout status|pause rollout|show requests).*)$ => operations
  ^(?:scans|scanning|remediations?|jobs|tasks)<END> => operations
  ^installs<END> => events name:patch-installed
  ^(?:what happened (?:to|on|with)|(?:(?:patch|reboot|scan) )?history(?: of)?|timeline(?: of)?) (.+?)<END> => device $1 timeline
  <NEVER><SEEN>|<UNSEEN>|\boffline <PERIOD>|^(?:(?:which|what|who|how many|list|<DEVICES>)\b.*)?\boffline\b => devices is:offline sort:seen
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
  ^<LOOKS> <LOG><END>|^<LOOKS>(?: <LOG>)? <PERIOD><END> => $1$2
  ^patch compliance\b => compliance groups
  ^run (?:a |the )?(?:script|worklet)\b => help policy-remediate
  ^(?:scan|patch|reboot) (?:all|every|everything)(?: <DEVICES>)?<END> => devices
  ^my (?:devices?|laptop|computer) => help filters
  ^(?:how many|all) (?:devices|computers|machines)(?: (?:do|are there)\b|<END>) => devices
  ^devices (?:in|of|from) (?:the )?(.+?)<END> => devices group:"$1"
  ^how many (.+?) (?:do we have|are there)<END> => devices group:"$1"
  ^where is (.+?) logged (?:in|on)<END> => devices $1
  ^(?:find|search(?: for)?|look ?up|user(?! (?:of|on|at)\b)|where is) (.+?)<END> => devices $1
  ^\S+['’]s (?:approvals?|requests?)\b|^(?:requests|approvals?) (?:of|from|by|for|on|older|newer|waiting|pending|open|that|which)\b => approvals
  \bpolic(?:y|ies)\b => policies
`);

/** Lines that begin like a command and are none. */
const SENTENCES = rows(String.raw`
  ^subscribe (?:this|the|to)\b|^(?:patch|reboot|scan) history\b|^devices (?:in|of|from) \w|^devices (?:that|which|who|without|missing|lacking|needing|not|never|haven|with|offline|waiting|awaiting|due)\b(?!:) =>
  ^(?:approvals|requests) (?:of|from|by|for|on|older|newer|waiting|pending|open|that|which|history|log|all)\b|^approvals\b.*<PERIOD>|^health check|^patch (?:age|older|newer)\b|^pause (?:all )?(?:patching|updat|reboots|chang)|^missing [^:"]+ (?:on|in|for|at)\b =>
  ^<REBOOT> (?:required|needed)<END>|^(?:scan|patch|reboot) (?:all|every|everything)(?: <DEVICES>)?<END> =>
  ^(?:groups|patch status|pause (?:rollout|everything|all)|(?:patch )?compliance (?:report|for|of))\b =>
  ^patch compliance<END>|^missing (?:patches|updates)\b|^explain (?:the )?package \w|^<LOOKS> <LOG><END>|^<LOOKS>(?: <LOG>)? <PERIOD><END> =>
  ^(?:devices|missing|packages|policies|groups|audit|events)\b.* (?:csv|export|excel)<END> =>
`);

/** What a line is about that nothing else answers. */
const TOPICS = rows(String.raw`
  \bsubscri|\bnotif => help subscribe
  \balerts?\b => alerts
  \bcomplian => compliance
  ^(?!.*\b(?:high|tags?|tagged)\b).*\bcritical\b => missing severity:critical
  \b(?:risk\w*|vulnerab\w+|cves?|exposed|security|urgent)\b|\bcritical\b.*\bhigh\b|\bhigh\b.*\bcritical\b => missing severity:critical,high
  \b(?:version|logs|api|key|token|slack|service|healthy?|connect(?:ed|ion)?|reachable)\b|^(?:test|ping)$ => status
  \b<ROLES>\b => help roles
  \busers?\b => help
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
const CANNOT = rows(String.raw`
  ^leave .+ alone<END>|\bfrom (?:being \w+|getting \w+|(?:patch|updat|reboot|restart|chang)(?:ing|e?s))<END>|\b(?:(?:must|should|shall|may|can) (?:not|never)|nobody|no[- ]one)\b.*\b(?:patch(?:ed)?|updated?|re(?:boot|start)(?:ed)?|touch(?:ed)?|changed?)\b => protect
  ^(?:uninstall|remove|delete)\b.* (?:from|on)\b|^uninstall\b => remove-software
  \binstalled\b|^(?:who|which \w+|what \w+|devices) (?:has|have|uses?|runs?|with) (?!(?:not?|never|been)\b|.*\b(?:missing|patch|update|old|outdated|vulnerab|pending|fail|polic|tags?\b|roles?\b|rights|permission|approver|admin)) => installed
  ^(?:(?:who|which|what|list|show|all|every\w*|<DEVICES>)\b.*)?\b(?:without|with no|(?:has|have) no|(?:does|do)(?: not|n['’]t) have) (?!.*\b(?:patch|update|re(?:boot|start)|pending|polic|groups?\b|tags?\b|users?\b)) => installed
  \b(?:older|newer|lower|below) than? ?v?\d[\d.]*\b(?! ?(?:minute|hour|day|week|month|year)) => installed
  ^(?:who|which users?|is any\w+|show|list|how many)\b.*\blogged[- ](?:in|on)(?: users?)?(?: (?:right )?now| today)?(?:<END>| (?:on|to|at) (?:the|all|any|our)\b) => users
  \b(?:login|logon) (?:history|log|events?|times?)\b => users
  ^(?!.*\b(?:freeze|pause)\b).*\b(?:stand(?:s|ing)?[- ]ins?|delegat\w*|deput\w+|substitut\w+|(?:cover|fill)s?(?: in)? for|backup (?:approver|for)|out of (?:the )?office|ooo|vacation|holidays?|on leave|pto)\b => stand-ins
  \b(?:i am|i['’]m|(?:approv\w+|who) .*) (?:away|absent)\b|\b(?:forward|pass|hand|transfer|reassign)\b.*\bapprovals?\b|\bapprove\b.*\bfor (?:me|us)\b => stand-ins
  \b(?:old(?:est)?|overdue|age of|how long|since when)\b.*\b(?:<PATCH>|missing)\b|\b<PATCH>\b.*\b(?:older|newer|overdue|old|age|released|published|c[ao]me out|(?:more|longer) than \S+ (?:hour|day|week|month|year)s?)\b => patch-age
  ^(?:(?:which|what|show|list|all|the) )*(?:new|latest|recent) <PATCHES>\b|^<PATCHES> (?:from|since|in the|this|last)\b => patch-age
  ^(?:do not|don['’]?t|never|avoid|prevent|block|disable|turn off|hold(?: back)?|ignore|defer|postpone|skip)\b.*\b(?:patch(?:es|ing)?|updat(?:es?|ing)|upgrades?|install|reboots?|restarts?|scan|touch|chang(?:es?|ing))\b => protect
  ^(?:stop|pause|no(?: more)?)\b.*\b(?:patching|updat(?:es|ing)|patches|(?:reboot|restart|install|chang)(?:s|es|ing)|scann?ing)\b.*\b(?:on|for|of|to|\S+-\d+)\b => protect
  ^(?:exempt|protect|freeze(?! (?:everything|all|changes))|blacklist|blocklist|pin|skip|exclude|ban) (?!.*(?:,| and) (?:patch|updat|install|re(?:boot|start)|scan|upgrad|deploy|show|list)) => protect
  ^(?!(?:why|was|did|has|is)\b).*<NEVER>re(?:boot|start)ed\b => reboot-times
  ^(?:lock|wipe|erase|locate|track)\b => lock
  ^remind\b => remind
  ^(?:notify|tell|alert|ping|message) me\b.*\b(?:requests?|approv\w+)\b => request-alerts
  \b(?:every|each) (?:day|night|week|month|morning|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|\b(?:at night|on weekends|overnight|quiet hours)\b => repeat
  ^(?:change|set|rotate|replace|renew|edit|enter|where)\b.*\b(?:api|tokens?|keys?|secrets?|credentials?)\b(?!-) => own-settings
  \btest (?:alert|message|notification) => test-alert
  ^(?!.*\b(?:missing|patch(?:es)?|updates?|polic\w+)\b).*(?:<BEYOND>|^(?:wake|shut ?down|(?:turn|power|switch) (?:on|off|down)(?! .*(?:alert|notif|mode|remind|silenc))|back ?up|clean ?up|(?:clean|clear|tidy|free up)\b.*\b(?:disks?|drives?|space|temp\w*|caches?)|defrag\w*|remote|rdp|ssh|unlock|(?:copy|transfer|upload|push|restore|delete)\b.*\bfiles?)\b(?!-)) => beyond
  ^(?!.*\b(?:rollout|scan|patch|updat|install|reboot|request|command|bot\b|alert)).*\b(?:slow\w*|sluggish|lag(?:s|gy|ging)?|hang(?:s|ing)?|freez(?:es|ing)|performance|overload\w*|(?:cpu|memory|ram|system|high|server) (?:usage|load|utili[sz]ation)|load (?:of|on))\b => speed
  ^(?:require|enforce)\b.*\bapprov|\bapprove (?:my|your|their) own\b|\b(?:need|require)s? (?:(?:an?|no|more|fewer|one|two|three|\d+) )*approv(?:als?|ers?)\b|\bapproval (?:rules?|policy|policies)\b => approval-rules
`);

/** What people say of requests is said of all these lists. */
const OF_REQUESTS = /^(?:approvals|audit|operations|rollouts)\b/;

/** Whether a pattern that means such a line speaks of the word, in another form too. */
export function isSpoken(word: string, line: string): boolean {
  const [command = ''] = line.split(' ', 1);
  const known = [...NEGATED, ...SAID, ...TOPICS].filter(({ meant, literals }) => {
    const [fixed = ''] = meant.split(/ ?"?\$/, 1);
    if (fixed === '') return literals.includes(command);
    return line.startsWith(fixed) || (OF_REQUESTS.test(line) && OF_REQUESTS.test(fixed));
  });
  const words = known.flatMap(({ literals }) => literals.map((one) => one.replace(/s$/, '')));
  const endings = 'e?[srd]|ers|ing|y|ies|t|ce|le|ilit(?:y|ies)|ation';
  return new RegExp(`^(?:re)?(?:${words.join('|')})(?:${endings})?$`, 'i').test(word);
}

export const PERIOD = new RegExp(withParts('<PERIOD>'), 'i');
/** How many days back a time in words goes. */
const DAYS = rows(String.raw`
  \b(\d+) ?d(?:ays?)?\b => $1
  \byesterday\b => 2
  \b(?:today|tonight|(?:this|last) (?:morning|night))\b => 1
  \bweek\b => 7
  \bmonth\b => 30
  \b(?:1?\d|2[0-4]) hours?\b => 1
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

/** Commands that only look, before words of a sentence. */
const LOOK =
  /^(?:devices|missing|alerts|approvals|events|groups|policies|operations|rollouts|audit|compliance|subscriptions|packages)\b/i;

/** The command that answers it, but for what it leaves out. */
export function saidLine(typed: string): string | null {
  if (typed.length > MAX_SENTENCE) return null;
  const line = withoutPoliteness(typed);
  const whole = line.replace(REASON, '');
  const out = exclusionIn(whole);
  const said = out?.isSure ? out.rest : whole;
  const look = out !== null && LOOK.test(out.rest) ? out.rest : null;
  const meant = lineOf(NEGATED, whole) ?? lineOf(SAID, said.replace(PERIOD, '').trim(), said) ?? look;
  if (meant === null) return null;
  const days = TAKES_DAYS.test(meant) ? lineOf(DAYS, line) : null;
  return days === null ? meant : `${meant} days:${days}`;
}

const TAKES_DAYS = /^(?:alerts|audit|events(?: name:\S+)?)$/;

/** Whether a line that begins like a command is none. */
export const isSentence = (line: string): boolean =>
  (lineOf(SENTENCES, line) !== null || leavesOut(line)) &&
  (saidLine(line) ?? askedLine(line) ?? notDone(line)) !== null;

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
  const asked = withoutPoliteness(line).replace(REASON, '');
  const what = lineOf(CANNOT, asked);
  const isLeft = what === null && CHANGE.test(asked) && leavesOut(asked);
  return isLeft ? 'exclusion' : (NOT_DONE.find((one) => one === what) ?? null);
}

const CHANGE =
  /^(?:re(?:boot|start|scan)|scan|patch|install|updat|upgrad|deploy|push|apply|fix|remediat|mitigat|roll ?out\b|bounce|power ?cycle|mute|snooze|silence|subscrib|send|post|route|forward|policy-|device-edit)/i;

/** Whether a line that begins like a command leaves something out; `reboot web-01 it is not responding` does not. */
function leavesOut(line: string): boolean {
  const out = CHANGE.test(line) || LOOK.test(line) ? exclusionIn(line) : null;
  return out !== null && (out.isSure || LOOK.test(line) || /^non?t?\b/i.test(line.slice(out.from)));
}

/** Each line of the text is a pattern and what it means. */
function rows(text: string) {
  return text
    .trim()
    .split('\n')
    .map((row) => {
      const [said = '', meant = ''] = row.trim().split(/ => ?/);
      const whole = withParts(withParts(said));
      const literals: readonly string[] = whole.replace(/\\\w/g, ' ').match(/[a-z]{3,}/gi) ?? [];
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
