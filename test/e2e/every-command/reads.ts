/** Read commands: their line, a natural button, and the evidence that they read. */
import {
  allEffects,
  type CommandHarness,
  type CommandRow,
  type CommandRows,
  recordedCalls,
  showsText,
} from './command-harness.ts';

const LINUX = '"Linux servers"';
const SMB = '"Disable SMBv1"';

/** The same line by slash command and by mention, used by a viewer and refused to somebody without a role. */
function reads(
  line: string,
  row: Pick<CommandRow, 'button' | 'answer' | 'effect'> & Partial<CommandRow>,
): CommandRow {
  return { who: 'viewer', slash: line, mention: line, refused: { who: 'outsider', line }, ...row };
}

const pressed = (line: string, action: string) => async (harness: CommandHarness) =>
  harness.presses(await harness.runs(line), action);

/** A list from the index makes no request: the fleet was read before. */
const walked: CommandRow['effect'] = async ({ people }) => {
  const calls = (await people.journal('management')).map(({ method, path }) => `${method} ${path}`);
  if (!calls.includes('GET /servers')) throw new Error('the fleet was never read');
};

export const READ_ROWS: CommandRows = {
  device: reads('device web-01', {
    button: pressed('queue web-01', 'page:facts'),
    answer: /^web-01: Online, 3 pending patches/,
    effect: recordedCalls('GET /servers/4001'),
  }),
  devices: reads(`devices group:${LINUX}`, {
    button: pressed(`group ${LINUX}`, 'devices'),
    answer: /^Devices matching `group:"Linux servers"`: 63 devices/,
    effect: walked,
  }),
  packages: reads('packages web-01', {
    button: pressed('device web-01', 'packages'),
    answer: /^Packages for web-01: 3 missing patches/,
    effect: recordedCalls('GET /servers/4001/packages'),
  }),
  missing: reads('missing openssl', {
    button: (harness) => harness.triesForm('missing', { package: { search: 'openssl' } }),
    answer: /devices? (is|are) missing the `openssl` patch/,
    effect: allEffects(showsText('app-03'), async ({ people }) => {
      const paths = (await people.journal('management')).map(({ path }) => path);
      if (!paths.includes('/servers/4001/packages')) throw new Error('the packages were never read');
    }),
  }),
  queue: reads('queue web-01', {
    button: pressed('device web-01', 'queue'),
    answer: /^Queue for web-01: \d+ commands? queued/,
    effect: recordedCalls('GET /servers/4001/queues'),
  }),
  events: reads(`events policy:${SMB}`, {
    button: pressed(`policy ${SMB}`, 'events'),
    answer: /^Events .*policy:.*: \d+ events?/,
    effect: recordedCalls('GET /events'),
  }),
  groups: reads('groups', {
    button: pressed(`group ${LINUX}`, 'groups'),
    answer: /^Groups: 11 groups with 240 devices/,
    effect: walked,
  }),
  group: reads(`group ${LINUX}`, {
    button: (harness) => harness.triesForm('group', { group: { search: 'Linux servers' } }),
    answer: /^Group Linux servers: 63 devices, 2 policies/,
    effect: recordedCalls('GET /servergroups/3111'),
  }),
  policies: reads('policies', {
    button: pressed(`policy ${SMB}`, 'policies'),
    answer: /^4 policies/,
    effect: recordedCalls('GET /policies'),
  }),
  policy: reads(`policy ${SMB}`, {
    button: pressed('policies', 'policy:2103'),
    answer: /^Policy Disable SMBv1: worklet/,
    effect: recordedCalls('GET /policies/2103'),
  }),
  compliance: reads('compliance', {
    button: pressed('compliance policies', 'page:groups'),
    answer: /^Compliance: \d+ of 240 devices (?:aren|isn)’t compliant/,
    effect: walked,
  }),
  preview: reads('preview host:web', {
    button: (harness) => harness.triesForm('preview', { host: 'web' }),
    answer: /^Preview `host:web`: 26 devices/,
    effect: recordedCalls('POST /policies/device-filters-preview'),
  }),
  organization: reads('organization', {
    button: (harness) => harness.tries('organization'),
    answer: /^Organization Example Corporation: 240 devices/,
    effect: recordedCalls('GET /orgs'),
  }),
  approvals: reads('approvals', {
    button: (harness) => harness.tries('approvals'),
    answer: /^Requests waiting for approval: 1\b/,
    effect: showsText('Reboot web-01', 'before it all'),
  }),
  operations: reads('operations', {
    button: (harness) => harness.tries('operations'),
    answer: /^Recent commands: 1 command/,
    effect: showsText('web-02'),
  }),
  audit: reads('audit', {
    who: 'approver',
    button: (harness) => harness.tries('audit'),
    answer: /^Audit: [1-9]\d* entr/,
    effect: showsText('requested a scan of web-02 (#4002)'),
    refused: { who: 'operator', line: 'audit' },
  }),
  status: reads('status', {
    button: (harness) => harness.tries('status'),
    answer: /^✅ \*Patchbay is healthy\*/,
    effect: showsText(/event log/i, /Slack/),
  }),
  explain: reads('explain reboot web-01', {
    button: (harness) => harness.triesForm('explain', { line: 'reboot web-01' }),
    answer: /^This would reboot web-01/,
    effect: allEffects(recordedCalls('GET /servers/4001/queues'), async ({ serviceCalls }) => {
      const sent = (await serviceCalls()).filter((call) => !call.startsWith('GET'));
      if (sent.length > 0) throw new Error(`an explanation sent ${sent}`);
    }),
  }),
  help: reads('help device', {
    button: (harness) => harness.tries('help'),
    answer: /^`?\/fleet device|^What you can do with \/fleet/,
    effect: showsText('device'),
    refused: { who: 'outsider', line: 'help device' },
  }),
};
