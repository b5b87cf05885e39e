/** A service for the proofs of one file and profile, brought back to its seed before each of them. */
import { createManualClock, type MovableClock } from '../../../../src/clock.ts';
import type { Management } from '../../../../src/sandbox/contracts.ts';
import { rowsOf } from '../../../../src/sandbox/management/coverage/coverage.ts';
import type { Endpoint, ProfileName, Row, RowKind } from '../../../../src/sandbox/management/coverage/row.ts';
import { createManagement } from '../../../../src/sandbox/management/management.ts';
import { createWire } from '../../../../src/sandbox/wire/wire.ts';
import { START } from '../service.ts';
import { type Ask, damaged, honest } from './ask.ts';
import { Unproven } from './claim.ts';

/** Enough that every filter keeps some and leaves some out. */
const DEVICES = 60;

export type Stage = {
  readonly profile: ProfileName;
  readonly management: Management;
  readonly clock: MovableClock;
  readonly ask: Ask;
  readonly stop: () => Promise<void>;
};

export type Proof = (ask: Ask, stage: Stage) => Promise<void>;

export async function startStage(profile: ProfileName, devices = DEVICES): Promise<Stage> {
  const clock = createManualClock(START);
  const management = await createManagement({ clock, wire: createWire({ clock }), devices, profile });
  const stop = async () => {
    await management.stop();
    clock.stop();
  };
  return { profile, management, clock, ask: honest(management), stop };
}

/** The rows of one kind that this profile has. */
export function rowsFor(endpoint: Endpoint, wanted: RowKind, profile: ProfileName): readonly Row[] {
  return rowsOf(endpoint).filter(({ kind, profiles }) => kind === wanted && profiles.includes(profile));
}

/** Holds as things are, and no more once what `row` names is taken away. */
export async function prove(stage: Stage, row: Row, proof: Proof): Promise<void> {
  stage.management.reset();
  await proof(stage.ask, stage);
  stage.management.reset();
  try {
    await proof(damaged(stage.ask, row), stage);
  } catch (error) {
    if (error instanceof Unproven) return;
    throw error;
  }
  throw new Error(`The proof of ${row.kind} ${row.name} holds without it.`);
}
