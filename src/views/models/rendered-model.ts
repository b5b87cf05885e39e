import type { Instant } from '../../lib/clock.ts';
import type { DeviceId, RequestId } from '../../lib/ids.ts';

/** A message ready for Slack. `text` is what notifications show and screen readers read. */
export type RenderedMessage = {
  readonly text: string;
  readonly blocks: readonly Block[];
  /** The blocks without charts and tables, for windows and for a Slack that refuses them. Absent where there are none. */
  readonly plain?: readonly Block[] | undefined;
};

/** A Block Kit block as JSON, made by the builders in `kit/` and `forms/`. */
export type Block = { readonly type: string; readonly block_id?: string } & Readonly<Record<string, unknown>>;

/**
 * The value of a button as JSON, checked by zod when the button is pressed. Messages keep theirs for years, so the names
 * stay: `approval` and `operation` are both the id of a request.
 */
export type ButtonValue =
  | { readonly do: 'decide'; readonly approval: RequestId; readonly seal: string }
  /** `hold`: what it lets go on, by the time from which that held the rollout; absent: nothing did. */
  | {
      readonly do: 'control';
      readonly request: RequestId;
      readonly control: ControlKind;
      readonly hold?: Instant;
    }
  | { readonly do: 'run'; readonly command: string; readonly input: unknown; readonly page?: number }
  /** Opens the window in which several requests are decided, at this page. */
  | { readonly do: 'several'; readonly page: number }
  /** Shows the device, or one of its pages. */
  | { readonly do: 'device'; readonly device: DeviceId; readonly page?: string }
  | { readonly do: 'form'; readonly command: string; readonly input: unknown };

/** What a person does to a rollout that runs. */
export type ControlKind = 'pause' | 'resume' | 'continue' | 'continue-without' | 'stop' | 'close';
