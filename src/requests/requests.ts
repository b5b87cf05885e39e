/** Requests from asking to proof, joined: the only part of the product that can change the fleet. */
import type { FleetEditor, FleetReader, FleetWriter } from '../fleet/fleet.ts';
import { createSharedReader } from '../fleet/reads/read-helpers.ts';
import type { Log } from '../lib/log.ts';
import type { WorkResult } from '../store/due-work/worker.ts';
import type { ClaimedWork } from '../store/port/work-records.ts';
import { createApplyEvent } from './decide/apply-event.ts';
import { createHoldRollout } from './decide/hold-rollout.ts';
import { createJudgeChange } from './decide/judge-change.ts';
import { createProveRights, type ReadRight } from './decide/prove-rights.ts';
import {
  createRequestService,
  type RequestService,
  type RequestServiceOptions,
} from './decide/request-service.ts';
import { createFollowHandler } from './follow/follow-request.ts';
import { createHastenLooks, type HastenLooks } from './follow/hasten-looks.ts';
import type { ReadPorts } from './kinds/kind.ts';
import type { PagePorts } from './many-devices.ts';
import { type ClaimOptions, createRecordResults, createSendClaims } from './run/claim-and-send.ts';
import { createFleetCalls, type FleetCallsOptions } from './run/fleet-calls.ts';
import { createEndNotSent, createLedger } from './run/ledger.ts';
import { createReturnForApproval, createReturnRest } from './run/recheck.ts';
import { createRunHandler } from './run/run-request.ts';

export type RequestsOptions = RequestServiceOptions &
  Pick<ReadPorts, 'groupName' | 'serviceNow'> &
  Pick<PagePorts, 'fleetSize'> &
  Pick<FleetCallsOptions, 'takesTagBatches' | 'changeListener'> &
  Pick<ClaimOptions, 'isStopping' | 'isAwake' | 'monotonic'> & {
    readonly reader: FleetReader;
    readonly writer: FleetWriter;
    readonly editor: FleetEditor;
    readonly log?: Log;
    readonly readRight: ReadRight;
  };

export type Requests = RequestService &
  HastenLooks & {
    readonly run: (work: ClaimedWork) => Promise<WorkResult>;
    readonly follow: (work: ClaimedWork) => Promise<WorkResult>;
  };

export function createRequests(options: RequestsOptions): Requests {
  const { clock } = options;
  const recordMoves = createLedger(options);
  const applyEvent = createApplyEvent(options);
  const holdRollout = createHoldRollout(options);
  const endNotSent = createEndNotSent({ recordMoves, clock });
  const judgeChange = createJudgeChange(options);
  const returnForApproval = createReturnForApproval({ applyEvent, endNotSent, clock, judgeChange });
  const returnRest = createReturnRest({ ...options, applyEvent, holdRollout, recordMoves, judgeChange });
  const { callFleet, targetsPerCall } = createFleetCalls(options);
  const recordResults = createRecordResults({ recordMoves, clock });
  const sendClaims = createSendClaims({ ...options, callFleet, recordResults });
  const running = {
    holdRollout,
    recordMoves,
    sendClaims,
    judgeChange,
    sharedReader: createSharedReader(options.reader, clock),
    targetsPerCall,
    endNotSent,
    returnForApproval,
    returnRest,
    proveRights: createProveRights(options),
  };
  return {
    ...createRequestService(options),
    ...createHastenLooks(options),
    run: createRunHandler({ ...options, ...running }),
    follow: createFollowHandler({ ...options, recordMoves }),
  };
}
