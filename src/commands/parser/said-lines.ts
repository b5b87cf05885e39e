/** Lines as people say them, such as `what happened to web-01?`, as the commands that answer them. Pure. */

/** What several patterns have in common, as `<name>`. */
const PARTS: Readonly<Record<string, string>> = {
  END: '[\\s?!.]*$',
  DEVICES: '(?:devices|machines|computers|servers|laptops)',
  REBOOT: 're(?:boot|start)(?:s|ed)?\\b',
  NEVER: "(?:\\bnot|\\bnever|n['’]t)\\b.*\\b",
  SEEN: '(?:seen|checked in|online)\\b',
  SEVERITY: '(critical|high|medium|low)(?:[- ]severity)?',
  INSTALL: '^(?:install|update|upgrade|deploy|push|apply|patch) (?:all |the )*',
  WHY: '( because .*)?$',
  AFFECTED:
    '^(?:patch|fix|remediate|mitigate|update) (?:(?:all|everything|any|the|<DEVICES>|hosts?|that|which|is|are|with|has|have|affected|vulnerable|by|to|for|against|missing|patch(?:es)?) )*(CVE-\\d{4}-\\d{4,})',
  PERIOD: String.raw`(?<![-\w.#])(?:(?:for|(?<!checked )in|over|within|during|since|of|on|about|the|more than|longer than|at least) )*(?:(?:\d+ ?(?:[hdwm]|min)|(?:\d+|an?|one|two|three|few|several) (?:minute|hour|day|week|month|year)s?|today|yesterday|tonight|(?:this|last|past) (?:\d+ )?(?:morning|night|hour|day|week|month|year|weekend)s?|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|since\b)`,
};

/** Lines whose time or number is in what answers them. */
const TIMED = rows(String.raw`
  (?:\boffline\b|<NEVER><SEEN>).*\b(?:30 days|(?:a|one|1|this|last|past) month)<END> => devices is:stale
  ^(?:which|what|show|any)?\b.*\bfail(?:s|ed|ures?)?\b.*\btoday<END> => alerts days:1
  ^what .*\bI approved?\b.*\btoday<END> => audit days:1
  ^(?:new|(?:recently )?added)(?: devices| machines)? this week<END> => events name:device-added
  ^(?:approve|deny|reject|resume)\b => approvals
`);

/** None becomes a change: what would run is never guessed. The first that fits counts. */
const SAID = rows(String.raw`
  (CVE-\d{4}-\d{4,}(?:[\s,]+(?:(?:and|or) )?CVE-\d{4}-\d{4,})*|\bKB\d{6,8}\b) => missing $1
  \b<SEVERITY> (?:patch|update|vuln|cve) => missing severity:$1
  ^(?:show |list |exploited )*vulnerabilities<END> => missing severity:critical,high
  ^(?:(?:who|what|which role) (?:am|have) i|who (?:can|may) .*|(?:who|what) (?:is|are) .*\b(?:approver|admin|operator|viewer|role|allowed)s?\b.*|(?:my )?(?:roles?|rights|permissions?)|\?|what|show|how|who|am|is|let|whoami|commands|menu|docs|config)<END> => help
  ^(?:make|set|add|let|allow|grant|give|remove) .*(?:\b(?:users?|viewer|operator|approver|admin)\b|[@]\S)|^(?:let|allow)\b|^(?:am|may|can) I\b|^what(?: can| may|(?: is|['’]?s) my role)\b|^how (?:do|does|to)\b => help
  ^(?:(?:show|list|see|get)(?: me)? (?:the )?group|groups) (.+)$ => group $1
  ^(?:show|list|see|get|export)(?: me)?(?: all| my| the| running| open)* (devices|alerts|approvals|audit|events|groups|policies|rollouts|status)\b => $1
  ^(?:(?:which|what|how many|list|<DEVICES>)\b.*\b)?(?:pending|needs?) (?:a |to )?<REBOOT>|^<REBOOT> (?:required|needed)<END> => devices is:needs-reboot
  ^(?:(?:which|what|how many|list|csv|export|<DEVICES>)\b.*\b)?(?:missing|pending) (?:patches|updates)\b|^what needs (?:patch|updat)|^(?:unpatched|outdated)\b => devices is:pending
  ^(?:resume|continue|decide|pending|waiting|stuck)\b|^(?:yes|my approvals|ok|to ?do|inbox|my queue|show pending)$ => approvals
  ^(?:what(?:['’]?s| is| are)?|anything) .*\b(?:waiting|waits|pending|stuck|held|for me|to approve|(?:my|an) approval)\b => approvals
  ^my requests\b|^(?:cancel|undo|withdraw) .*\brequests?\b|^withdraw\b => approvals mine
  ^(?:close|ack(?:nowledge)?|resolve) (?:the |an? )?alerts?\b => alerts
  ^(?:mute|snooze|turn off|stop) (?:all |the )?(?:alerts?|notifications?)\b => help silence
  ^(?:stop (?:everything|all)|freeze|pause (?:everything|all)|maintenance mode)\b => help pause
  ^(settings|changing|filters)$ => help $1
  ^patch status (?:of |for )?(.+)$ => packages $1
  \b(?:patch|maintenance) windows?\b|^next (?:patch|run)|^schedules?$ => policies
  ^(?:disks?|disk space|free space|storage|volumes)(?: on| of| for)? (\S+)[?]?$ => device $1 volumes
  ^(?:is|are) .*(?:up|down|working|connected|healthy|ok(?:ay)?|fine)<END> => status
  ^(?:cancel|stop|who (?:asked|requested|approved|re(?:boot|start)ed|patched|scanned)|undo|retry|what did|did the)\b => operations
  ^(?:how (?:far|long)|where) (?:is|are)\b.*\b(?:rollout|patch|reboot|scan)|^what(?:['’]?s| is| are)? (?:runs|running|in progress|going on|happening|new|changed)\b|^(?:rollout|activity|history|logs?|(?:rollout status|pause rollout|show requests).*)$ => operations
  ^(?:what happened (?:to|on|with)|history(?: of)?|timeline(?: of)?) (.+?)<END> => device $1 timeline
  <NEVER><SEEN>|\boffline (?:for|since)\b => devices is:offline sort:seen
  ^(devices|missing|packages|policies|groups|audit|events) (.*?)(?:as |to )?(?:csv|export|excel)<END> => $1 $2
  \bunmute|\b(?:silences?|silenced|muted)\b => subscriptions
  ^(?:which|what|how many|list|<DEVICES>)\b.*\boffline\b => devices is:offline
  ^(online|offline|noncompliant|unmanaged|stale)(?: <DEVICES>)?<END> => devices is:$1
  ^(?:new|(?:recently )?added)(?: (?:devices|machines)\b|<END>) => events name:device-added
  ^(?:what|which|show|any)\b.*\bfail(?:s|ed|ures?)?\b|^(?:failures\b|failed<END>|failed (?:patches|updates|devices)) => alerts
  ^(?:who|which <DEVICES>|<DEVICES>) (?:need(?:s|ing)?|lack(?:s|ing)?|(?:is |are )?missing) (.+?)<END> => missing $1
  ^compliance report => compliance
  ^patch compliance\b => compliance groups
  ^run (?:a |the )?(?:script|worklet)\b => help policy-remediate
  ^(?:scan|patch|reboot) (?:all|everything)<END>|^my (?:devices?|laptop|computer) => help filters
  ^(?:how many|all) (?:devices|computers|machines)(?: (?:do|are there)\b|<END>) => devices
  ^how many (.+?) (?:do we have|are there)<END> => devices group:"$1"
  ^(?:find|search(?: for)?|look ?up|user|where is) (.+?)<END> => devices $1
`);

/** Lines that begin like a command and are none. */
const SENTENCES = rows(String.raw`
  ^devices (?:that|which|who|without|missing|lacking|needing|not|never|haven|with|offline)\b(?!:) =>
  ^<REBOOT> (?:required|needed)<END>|^reboot \S+ (?:now|asap)\b|^(?:scan|patch|reboot) (?:all|everything)<END> =>
  ^(?:groups|patch status|patch \S+ on|pause (?:rollout|everything|all)|(?:patch )?compliance (?:report|for|of))\b =>
  <AFFECTED><WHY> =>
  ^patch .* in \S+ waves\b|^(?:devices|missing|packages|policies|groups|audit|events)\b.* (?:csv|export|excel)<END> =>
`);

/** What is asked for in other words, or what comes near: offered with its form, never requested. */
const ASKED = rows(String.raw`
  ^patch (?:all |the )+(.+?) in (\S+) waves<WHY> => patch group:"$1" in $2 waves$3
  ^patch (.+?) in (?:2|two) waves<WHY> => patch $1 waves:50%$2
  ^patch (.+?) in (?:3|three) waves<WHY> => patch $1 waves:34%,67%$2
  ^patch (.+?) in \S+ waves<WHY> => patch $1$2
  <AFFECTED><WHY> => patch missing:$1$2
  ^what happened <PERIOD> => operations
  \boffline <PERIOD> => devices is:offline sort:seen
  ^re(?:boot|start) (?:the )?(?:computer|laptop|machine|device) of (\S+?)<WHY> => reboot $1$2
  ^(?:schedule|request|do|run) (?:an?|the) (\w+) (?:of|on|for) (.+)$ => $1 $2
  <INSTALL><SEVERITY>(?: (?:patches|updates))? (?:on|to) (.+)$ => patch severity:$1 $2
  <INSTALL>(?:patches|updates) (?:(?:on|to) )?(.+)$ => patch $1
  <INSTALL>((?:(?! because ).)+?) on (?:all |the |our )*(.+)$|^(?:deploy|push) (.+?) to (.+)$ => patch $2$4 $1$3
  ^(?:update|upgrade) all (?:the |our )?(.+?)<WHY> => patch group:"$1"$2
  ^(?:update|upgrade) (.+)$ => patch $1
  ^(?:send|post) (?:the )?alerts (?:to|in) (\S+)$|^(?:alert|notify|tell) (me)\b.*\bpatch => subscribe $1$2 patch-failed
  ^(?:restart|bounce|power ?cycle) (\S+(?: (?:today|tonight|tomorrow|at)\b.*?)?)(?: (?:now|asap))?<WHY> => reboot $1$2
  ^reboot (\S+)(?: (?:now|asap))?<WHY> => reboot $1$2
  <NEVER>(?:patched|updated)\b => devices is:pending
  <NEVER><REBOOT> => devices is:needs-reboot
  ^(?:(?:which |what )?versions? of|<DEVICES> with|who has(?=.* v?[\d.]+$)) (\S+)(?: v?[\d.]+)?<END> => missing $1
`);

const PERIOD = new RegExp(withParts('<PERIOD>'), 'i');
const POLITE = /^(?:please|pls|can you|could you|i (?:want|need|would like) to)(?: please)? +/i;

/** Characters of a line that may be a sentence: the work for a longer one grows with its square (0.4 s for 3,000). */
const MAX_SENTENCE = 300;

const BECAUSE = / because /i;
const COURTESY = /(\S)(?:[\s,]+(?:please|pls|plz|thanks|thank you|thx))+[\s.!]*$/i;
/** What a person says of a device after its name. */
const COMPLAINT = /, (?=(?:it|he|she|they|we|i)(?:['’]s)? )/i;

/** The line without thanks, and with what follows a comma as its reason: neither names a device. */
export const withoutCourtesy = (line: string): string =>
  line.length > MAX_SENTENCE || BECAUSE.test(line)
    ? line
    : line.replace(COURTESY, '$1').replace(COMPLAINT, ' because ');

/** The command that answers all of it; null: none is known. */
export function saidLine(line: string): string | null {
  const { meant, isWhole } = meantBy(line.replace(POLITE, ''));
  return isWhole ? meant : null;
}

/** `isWhole`: also its time; help is about any. */
function meantBy(line: string) {
  if (line.length > MAX_SENTENCE) return { meant: null, isWhole: false };
  const timed = lineOf(TIMED, line);
  const meant = timed ?? lineOf(SAID, line.replace(PERIOD, '').trim());
  return { meant, isWhole: timed !== null || !PERIOD.test(line) || meant?.startsWith('help') === true };
}

/** Whether a line that begins like a command is none. */
export const isSentence = (line: string): boolean =>
  lineOf(SENTENCES, line) !== null && (askedLine(line) ?? saidLine(line)) !== null;

/** The change that is asked for; null: none is known. */
export function askedLine(line: string): string | null {
  const plain = line.replace(POLITE, '');
  const { meant, isWhole } = meantBy(plain.replace(/ because .*/i, ''));
  const asked = lineOf(TIMED, plain) === null ? lineOf(ASKED, plain) : null;
  if (asked !== null) return lineOf(ASKED, asked) ?? asked;
  return (isWhole ? null : meant) ?? (plain === line ? null : plain);
}

/** Each line of the text is a pattern and what it means. */
function rows(text: string) {
  return text
    .trim()
    .split('\n')
    .map((row) => {
      const [said = '', meant = ''] = row.trim().split(/ => ?/);
      const whole = withParts(withParts(said));
      return { said: new RegExp(whole, 'is'), meant };
    });
}

/** A part may have others in it. */
function withParts(said: string): string {
  return said.replace(/<([A-Z]+)>/g, (_, name) => PARTS[name] ?? '');
}

function lineOf(known: typeof SAID, line: string): string | null {
  if (line.length > MAX_SENTENCE) return null;
  for (const { said, meant } of known) {
    const found = said.exec(line);
    if (found !== null) return meant.replace(/\$(\d)/g, (_, at) => found[Number(at)] ?? '');
  }
  return null;
}
