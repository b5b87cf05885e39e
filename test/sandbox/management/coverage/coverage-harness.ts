/** A service for the proofs of one file and profile, reset before each of them. */
import { createManualClock, type MovableClock } from '../../../../src/lib/clock.ts';
import type { ManagementService } from '../../../../src/sandbox/contracts/services.ts';
import { createManagement } from '../../../../src/sandbox/management/management.ts';
import { createWire } from '../../../../src/sandbox/wire/wire.ts';
import { START } from '../harness/service.ts';
import { coverageRowsOf } from '../interface/coverage.ts';
import type { CoverageRow, CoverageRowKind, EndpointSpec, ProfileName } from '../interface/row-types.ts';
import { Unproven } from './claim.ts';
import { type SendRequest, sendUnchanged, sendWithout } from './requester.ts';

/** Enough that every filter keeps some and excludes some. */
const DEVICES = 60;

export type CoverageStage = {
  readonly profile: ProfileName;
  readonly management: ManagementService;
  readonly clock: MovableClock;
  readonly ask: SendRequest;
  readonly stop: () => Promise<void>;
};

export type Proof = (ask: SendRequest, stage: CoverageStage) => Promise<void>;

export async function startCoverageStage(profile: ProfileName, devices = DEVICES): Promise<CoverageStage> {
  const clock = createManualClock(START);
  const management = await createManagement({ clock, wire: createWire({ clock }), devices, profile });
  const stop = async () => {
    await management.stop();
    clock.stop();
  };
  return { profile, management, clock, ask: sendUnchanged(management), stop };
}

/** The rows of one kind that this profile has. */
export function rowsFor(
  endpoint: EndpointSpec,
  wanted: CoverageRowKind,
  profile: ProfileName,
): readonly CoverageRow[] {
  return coverageRowsOf(endpoint).filter(
    ({ kind, profiles }) => kind === wanted && profiles.includes(profile),
  );
}

/** The proof must pass, and must fail once what `row` names is removed. */
export async function prove(stage: CoverageStage, row: CoverageRow, proof: Proof): Promise<void> {
  stage.management.reset();
  await proof(stage.ask, stage);
  stage.management.reset();
  try {
    await proof(sendWithout(stage.ask, row), stage);
  } catch (error) {
    if (error instanceof Unproven) return;
    throw error;
  }
  throw new Error(`The proof of ${row.kind} ${row.name} holds without it.`);
}
