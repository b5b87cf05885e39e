import { describe, expect, it } from 'vitest';
import type { Desk } from '../../src/approvals/desk.ts';
import { registry } from '../../src/commands/index.ts';
import { FleetFailure } from '../../src/fleet/fleet.ts';
import { approvalId, channelId, messageTs, personId } from '../../src/ids.ts';
import { createLog, type Log, silentLog } from '../../src/log.ts';
import { NotStored } from '../../src/not-stored.ts';
import { createDispatch } from '../../src/slack/dispatch.ts';
import type { People } from '../../src/slack/people.ts';
import type { Refusals } from '../../src/slack/refusals.ts';
import { render } from '../../src/views/render.ts';
import { BROKEN } from '../commands/fake-fleet.ts';
import { createFakeSettings } from '../commands/fake-settings.ts';
import { testPorts } from '../commands/ports.ts';
import { aDevice, aGroup, aPolicy, START } from '../harness/builders.ts';
import { anApproval, anOperation } from '../harness/records.ts';
import { unnoted } from './doors.ts';
import { createFakeWeb } from './fake-web.ts';

const APPROVALS = channelId('C0APPROVALS');
const OPS = channelId('C0OPS');
const OPERATOR = personId('UOPERATOR');
const caller = { person: OPERATOR, channel: OPS };

const refuses = (): never => {
  throw new Error('the disk is full');
};

type Parts = {
  readonly desk?: Partial<Desk>;
  readonly roleOf?: People['roleOf'];
  readonly settings?: ReturnType<typeof createFakeSettings>;
  readonly log?: Log;
  readonly noted?: Refusals['noted'];
};

function aDispatch({
  desk = {},
  roleOf = async () => ({ role: 'operator', maybe: null }),
  settings = createFakeSettings(),
  log = silentLog,
  noted = unnoted,
}: Parts = {}) {
  const { ports, fleet } = testPorts({
    devices: [aDevice({ tags: ['web'] })],
    groups: [aGroup()],
    policies: [aPolicy()],
  });
  const dispatch = createDispatch({
    noted,
    registry,
    ports,
    settings,
    people: { roleOf },
    desk: {
      request: async () => refuses(),
      decide: async () => refuses(),
      addReason: async () => refuses(),
      expire: async () => refuses(),
      withdrawUnposted: async () => refuses(),
      ...desk,
    },
    cards: {
      whenPosted: async () => ({ kind: 'posted', place: { channel: APPROVALS, ts: messageTs('1.000001') } }),
    },
    web: createFakeWeb(() => START),
    approvalsChannel: APPROVALS,
    root: '/fleet',
    admins: [personId('U0ADMIN')],
    log,
  });
  return { dispatch, fleet };
}

describe('what went wrong', () => {
  it('while reading or planning changed nothing', async () => {
    const { dispatch, fleet } = aDispatch();
    fleet.failWith(BROKEN);
    const failed = { kind: 'problem', problem: { kind: 'fleet', changed: 'nothing' } };
    expect(await dispatch.text('device #1001', caller, 'k')).toMatchObject(failed);
    expect(await dispatch.text('reboot #1001', caller, 'k')).toMatchObject(failed);
  });

  it('by a fault of ours before anything was asked for changed nothing', async () => {
    const { dispatch } = aDispatch({ roleOf: async () => refuses() });
    expect(await dispatch.text('reboot #1001', caller, 'k')).toMatchObject({
      problem: { kind: 'unexpected', changed: 'nothing' },
    });
  });

  it('once something was asked for or decided may have changed something', async () => {
    const { dispatch } = aDispatch();
    const maybe = { problem: { kind: 'unexpected', changed: 'unknown' } };
    expect(await dispatch.text('reboot #1001', caller, 'k')).toMatchObject(maybe);
    const order = { approvalId: approvalId('a_1'), seal: 's', decision: 'approve', caller } as const;
    expect(await dispatch.decide(order)).toMatchObject(maybe);
  });

  it('at the service after something was asked for may have changed something', async () => {
    const request = async () => {
      throw new FleetFailure(BROKEN);
    };
    expect(await aDispatch({ desk: { request } }).dispatch.text('scan #1001', caller, 'k')).toMatchObject({
      problem: { kind: 'fleet', changed: 'unknown' },
    });
  });
});

it('a full disk is said as what it is', async () => {
  const roleOf = async (): Promise<never> => {
    throw new NotStored('disk-full', 'patchbay.sqlite', null);
  };
  const { dispatch } = aDispatch({ roleOf });
  const view = await dispatch.text('reboot #1001', caller, 'k');
  expect(view).toMatchObject({ problem: { kind: 'not-stored', why: 'disk-full', changed: 'nothing' } });
  expect(render(view).text).toMatch(/^The disk is full: Patchbay could not store this\./);
});

describe('the log', () => {
  /** Every line at the level that is set where none is. */
  const listening = () => {
    const lines: Record<string, unknown>[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    return { lines, log: createLog({ level: 'info', destination }) };
  };

  it('has one line for each command: who, what, how it ended, and nothing that was typed', async () => {
    const { lines, log } = listening();
    const { dispatch, fleet } = aDispatch({ log });
    for (const text of [
      'device #1001',
      'devices user:hush-hush',
      'gibberish hush-hush',
      'pause because hush-hush',
    ])
      await dispatch.text(text, caller, 'k');
    fleet.failWith(BROKEN);
    await dispatch.text('reboot #1001 because hush-hush', caller, 'k');
    const about = lines.filter(({ event }) => event === 'command');
    expect(about).toMatchObject([
      { what: 'device', person: OPERATOR, outcome: 'device', device: 1001, ms: expect.any(Number) },
      { what: 'devices', person: OPERATOR },
      { what: 'other', outcome: 'unknown-command' },
      { what: 'pause', outcome: 'not-allowed' },
      { what: 'reboot', outcome: 'fleet', reference: expect.any(String) },
    ]);
    const [failed] = lines.filter(({ event }) => event === 'command.failed');
    expect(about.at(-1)?.['reference']).toBe(failed?.['reference']);
    expect(JSON.stringify(lines)).not.toContain('hush');
  });

  it('has one line for each decision', async () => {
    const { lines, log } = listening();
    const approval = anApproval({ reason: 'hush-hush' });
    const { dispatch } = aDispatch({ log, desk: { decide: async () => ({ kind: 'approved', approval }) } });
    await dispatch.decide({ approvalId: approval.id, seal: 's', decision: 'approve', caller });
    expect(lines).toMatchObject([
      { event: 'decision', what: 'approve', person: OPERATOR, outcome: 'approved', approval: approval.id },
    ]);
    expect(JSON.stringify(lines)).not.toContain('hush');
  });
});

describe('somebody without the right', () => {
  it('is told whom to ask for it', async () => {
    const { dispatch } = aDispatch({ roleOf: async () => ({ role: null, maybe: null }) });
    const refusal = await dispatch.text('device #1001', caller, 'k');
    expect(refusal).toMatchObject({ problem: { kind: 'not-allowed', need: 'viewer' } });
    expect(JSON.stringify(render(refusal).blocks)).toContain('Ask <@U0ADMIN> for the role.');
  });

  it('is kept with what they tried, whether it was typed or pressed', async () => {
    const tried: string[] = [];
    const noted: Refusals['noted'] = (person, attempt, view) => {
      if (view.kind === 'problem' && view.problem.kind === 'not-allowed') tried.push(`${person} ${attempt}`);
      return view;
    };
    const { dispatch } = aDispatch({ noted, roleOf: async () => ({ role: 'viewer', maybe: null }) });
    await dispatch.text('reboot #1001', caller, 'k');
    await dispatch.text('reboot', caller, 'k');
    await dispatch.text('device #1001', caller, 'k');
    await dispatch.text('subscribe here to patch failures', caller, 'k');
    await dispatch.command({ name: 'scan', input: { device: 1001 }, page: 0, caller, requestKey: 'k' });
    expect(tried).toEqual(['UOPERATOR reboot', 'UOPERATOR reboot', 'UOPERATOR subscribe', 'UOPERATOR scan']);
  });

  it('may do what is certain while a user group cannot be read', async () => {
    const { dispatch } = aDispatch({ roleOf: async () => ({ role: 'operator', maybe: 'approver' }) });
    expect(await dispatch.text('device #1001', caller, 'k')).not.toMatchObject({ kind: 'problem' });
    const unknown = { problem: { kind: 'rights-unknown' } };
    expect(await dispatch.text('audit', caller, 'k')).toMatchObject(unknown);
    expect(await dispatch.text('pause because x', caller, 'k')).toMatchObject({
      problem: { kind: 'not-allowed', need: 'admin' },
    });
    const decide = (decision: 'approve' | 'deny') =>
      dispatch.decide({ approvalId: approvalId('a_1'), seal: 's', decision, caller });
    expect(await decide('approve')).toMatchObject(unknown);
    expect(await decide('deny')).toMatchObject(unknown);
  });

  it('may withdraw their own request whatever Slack says', async () => {
    const decide = async () => ({ kind: 'absent' }) as const;
    const { dispatch } = aDispatch({ desk: { decide }, roleOf: async () => refuses() });
    const order = { approvalId: approvalId('a_1'), seal: 's', decision: 'withdraw', caller } as const;
    expect(await dispatch.decide(order)).toMatchObject({ kind: 'decided' });
  });

  it('is told nothing of what aliases and saved targets hold', async () => {
    const settings = createFakeSettings();
    const shared = { owner: null, by: personId('U0ADMIN') };
    await settings.aliases.keep({ ...shared, name: 'lr', line: 'devices tag:secret' });
    await settings.saved.keep({ ...shared, name: 'vault', line: 'tag:secret is:nonsense' });
    const { dispatch } = aDispatch({ settings, roleOf: async () => ({ role: null, maybe: null }) });
    for (const text of ['lr', 'lr web', 'devices in:vault', 'devices in:vaul', 'explain devices in:vaul']) {
      const view = await dispatch.text(text, caller, 'k');
      expect(view).toMatchObject({ kind: 'problem', problem: { kind: 'not-allowed', need: 'viewer' } });
    }
  });
});

describe('a line with a slip', () => {
  const offered = async (text: string, roleOf?: People['roleOf']) => {
    const view = await aDispatch(roleOf === undefined ? {} : { roleOf }).dispatch.text(text, caller, 'k');
    if (view.kind !== 'problem' || !('offers' in view.problem)) return [];
    return (view.problem.offers ?? []).map((offer) => ('line' in offer ? offer.line : offer.name));
  };

  it.each([
    ['devices grup:linux', ['/fleet devices group:"Linux servers"']],
    ['devices grup:"Linux servers"', ['/fleet devices group:"Linux servers"']],
    ['devices is:needs reboot', ['/fleet devices is:needs-reboot']],
    ['devices is:needs reboot group:linux', ['/fleet devices is:needs-reboot group:"Linux servers"']],
    ['devcies group:linux', ['/fleet devices group:"Linux servers"']],
    ['devices grup:linux os:linx', ['/fleet devices group:"Linux servers" os:Linux']],
    ['devices tga:wbe', ['/fleet devices tag:web']],
    ['devices polcy:"Aply All Patches"', ['/fleet devices policy:"Apply All Patches"']],
    ['devices oss:linx', ['/fleet devices os:Linux']],
    ['preview grup:linux host:web', ['/fleet preview group:"Linux servers" host:web']],
    ['preview oss:linx', ['/fleet preview os:Linux']],
    ['events polcy:"Aply All Patches"', ['Apply All Patches']],
    ['devices grup:zzzz', []],
    ['devices group:linux os:zzzz', []],
  ])('“%s” is offered only as what is answered: %j', async (text, lines) => {
    expect(await offered(text)).toEqual(lines);
  });

  it('tells nobody who may not look what there is', async () => {
    const roleOf = async () => ({ role: null, maybe: null }) as const;
    expect(await offered('devices grup:linux', roleOf)).toEqual(['/fleet devices group:linux']);
  });

  it('is offered as it stands where the service does not say what there is', async () => {
    const { dispatch, fleet } = aDispatch();
    fleet.failWith(BROKEN);
    expect(await dispatch.text('devices grup:linux', caller, 'k')).toMatchObject({
      problem: { kind: 'usage', offers: [{ line: '/fleet devices group:linux' }] },
    });
  });
});

describe('what was asked for', () => {
  const asked = (text: string, more: Parameters<typeof anApproval>[0], already: boolean) =>
    aDispatch({
      desk: { request: async () => ({ kind: 'asked', approval: anApproval(more), already }) },
    }).dispatch.text(text, caller, 'k');

  it.each([
    ['anew', 'reboot #1001 because new', {}, false, { mine: true, reasonUnused: false }],
    ['by oneself before', 'reboot #1001', {}, true, { mine: true, reasonUnused: false }],
    [
      'by oneself before, in the same words',
      'reboot #1001 because kernel update',
      {},
      true,
      { mine: true, reasonUnused: false },
    ],
    [
      'by somebody else before',
      'reboot #1001 because new',
      { requesterId: personId('UOTHER') },
      true,
      { mine: false, reasonUnused: true },
    ],
  ])('%s', async (_what, text, more, already, expected) => {
    expect(await asked(text, more, already)).toMatchObject({ kind: 'asked', already, ...expected });
  });

  it('without an approval is started, with a link to its card', async () => {
    const request = async () => ({ kind: 'started', operation: anOperation() }) as const;
    expect(await aDispatch({ desk: { request } }).dispatch.text('scan #1001', caller, 'k')).toMatchObject({
      kind: 'started',
      deviceName: 'web-01',
      link: expect.stringContaining('C0APPROVALS'),
    });
  });
});

describe('words that begin with no command', () => {
  const text = (line: string, parts: Parts = {}) => aDispatch(parts).dispatch.text(line, caller, 'k');

  it.each(['web-01', 'WEB-01', '#1001'])('show the device that “%s” names', async (line) => {
    const shown = await text(line);
    const view = shown.kind === 'shareable' ? shown.view : shown;
    expect(view).toMatchObject({ kind: 'device', device: { name: 'web-01' } });
  });

  it.each(['web-02', 'alice', '192.0.2.1', 'web-01 is:online', 'web-01 --all'])(
    'are an unknown command where “%s” is the name of no device',
    async (line) => {
      expect(await text(line)).toMatchObject({ kind: 'problem', problem: { kind: 'unknown-command' } });
    },
  );

  it('name nothing to somebody who may not look, nor where the fleet cannot be read', async () => {
    const nobody = { roleOf: async () => ({ role: null, maybe: null }) as const };
    expect(await text('web-01', nobody)).toMatchObject({ problem: { kind: 'unknown-command' } });
    const { dispatch, fleet } = aDispatch();
    fleet.failWith(BROKEN);
    expect(await dispatch.text('web-01', caller, 'k')).toMatchObject({
      problem: { kind: 'unknown-command' },
    });
  });

  it('get a short answer where they greet, with three examples and nothing alarming', async () => {
    const words = JSON.stringify(render(await text('hi')));
    for (const line of ['/fleet devices', '/fleet missing', '/fleet help']) expect(words).toContain(line);
    expect(words).not.toMatch(/do not know|unknown|wrong|⛔/i);
  });
});
