/** Approves, denies or lets a rollout go on as people do: a window opens, and its submission decides. */
import type { Role } from '../../src/lib/access.ts';
import { type Instant, instant } from '../../src/lib/clock.ts';
import {
  channelId,
  newReference,
  newWindowId,
  type PersonId,
  type RequestId,
  type UserGroupId,
} from '../../src/lib/ids.ts';
import type { ControlInput } from '../../src/requests/decide/control-rollout.ts';
import type {
  DecisionWindows,
  SubmitWindowResult,
  WantedDecision,
} from '../../src/requests/decide/decision-windows.ts';
import type { RequestService } from '../../src/requests/decide/request-service.ts';
import type { DecisionResult } from '../../src/requests/decide/state-machine.ts';
import type { DecisionWindow } from '../../src/store/port/decision-windows.ts';
import type { Store } from '../../src/store/port/store.ts';

export type PressedDecision = {
  readonly requestId: RequestId;
  readonly person: PersonId;
  readonly role: Role | null;
  readonly wanted: WantedDecision;
  /** The user groups of rules that the person is in. */
  readonly groups?: readonly UserGroupId[] | undefined;
  /** When the submission was stored; absent: at once, however late that is handled. */
  readonly askedAt?: Instant | undefined;
  readonly comment?: string;
};
type World = { readonly store: Pick<Store, 'requests'>; readonly requests: DecisionWindows };

/** The window as it is stored once Slack shows it, or why none opens. */
export async function openedWindow(
  { store, requests }: World,
  { requestId, person, role, wanted, groups = [] }: PressedDecision,
): Promise<DecisionWindow | DecisionResult> {
  const request = await store.requests.get(requestId);
  if (request === null) return { kind: 'absent' };
  const opened = await requests.openWindow({ request, person, role, groups, wanted });
  if (opened.kind !== 'open') return opened;
  const { kind: _, ...facts } = opened;
  const view = { id: 'V1', hash: 'hash-1' };
  const window = { ...facts, id: newWindowId(), personId: person, view, usedBy: null };
  const row = { ...window, channel: channelId('C0APPROVALS'), thread: null };
  await requests.recordWindow(row);
  return row;
}

/** The submission by its person, with the number that it asks for. */
export function submission(
  { id, personId: person, view, devices }: DecisionWindow,
  role: Role | null,
  askedAt: Instant,
): Parameters<DecisionWindows['submitWindow']>[0] {
  return {
    id,
    person,
    role,
    view,
    devices: devices ?? undefined,
    submission: newReference(),
    askedAt,
    isFirstTry: false,
  };
}

export async function submittedThroughWindow(
  world: World,
  press: PressedDecision,
): Promise<DecisionResult | SubmitWindowResult> {
  const opened = await openedWindow(world, press);
  if ('kind' in opened) return opened;
  const askedAt = press.askedAt ?? instant(opened.endsAt - 1);
  const { role, comment, groups = [] } = press;
  return world.requests.submitWindow({ ...submission(opened, role, askedAt), groups, comment });
}

async function decidedThroughWindow(world: World, press: PressedDecision): Promise<DecisionResult> {
  const outcome = await submittedThroughWindow(world, press);
  if (outcome.kind === 'window-refused') throw new Error(`not decided: ${outcome.why}`);
  return outcome.kind === 'submitted' ? outcome.result : outcome;
}

type SealedPress = Omit<PressedDecision, 'wanted'> & { readonly seal: string };
export function approveThroughWindow(world: World, { seal, ...press }: SealedPress): Promise<DecisionResult> {
  return decidedThroughWindow(world, { ...press, wanted: { kind: 'approve', seal } });
}

export function denyThroughWindow(world: World, { seal, ...press }: SealedPress): Promise<DecisionResult> {
  return decidedThroughWindow(world, { ...press, wanted: { kind: 'deny', seal } });
}

/** Pauses and stops by one press, resumes and continues through a window. */
export async function controlAsPeopleDo(
  world: World & { readonly requests: RequestService },
  { control, hold, ...press }: ControlInput,
): Promise<DecisionResult> {
  if (control === 'pause' || control === 'stop' || control === 'close')
    return world.requests.control({ ...press, control });
  return decidedThroughWindow(world, { ...press, wanted: { kind: control, hold: hold ?? undefined } });
}
