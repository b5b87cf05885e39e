/** Views of what a command would do. */
import type { Need } from '../../access.ts';
import type { FleetOrder } from '../../fleet/orders.ts';
import type { TargetFacts } from '../../store/records.ts';
import type { PauseRecord } from '../../store/settings-records.ts';
import type { HelpEntry } from '../model.ts';

export type ExplainView =
  /** Changes nothing behind the service, whatever words follow it. */
  | {
      readonly kind: 'explain';
      readonly command: HelpEntry;
      readonly what: 'read' | 'setting';
      /** What its caller must be allowed; null: anybody may use it. */
      readonly need: Need | null;
      readonly root: string;
    }
  /** Planned as if it were asked for; nobody was asked and nothing was sent. */
  | {
      readonly kind: 'explain-plan';
      readonly command: FleetOrder;
      readonly targets: readonly TargetFacts[];
      readonly reason: string | null;
      /** What its caller must be allowed. */
      readonly need: Need;
      /** How long a request would wait for an approver; null: nobody has to agree. */
      readonly approvalMs: number | null;
      /** While it goes on, the command would be refused; null: nothing is paused. */
      readonly pause: PauseRecord | null;
      /** Without what is personal. */
      readonly shared?: true;
    };
