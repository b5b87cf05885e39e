/**
 * What can be shown, as facts and not as wording: each view is drawn by the file of its name.
 * `render.ts` switches over the union exhaustively, so a new view does not compile until it can be drawn.
 */

import type { Device, FleetEvent, ListedDevice, QueueEntry } from '../fleet/model/resources.ts';
import type { Instant } from '../lib/clock.ts';
import type { ChannelId, DeviceId } from '../lib/ids.ts';
import type { AlertRecord } from '../store/port/records.ts';
import type { AlertView } from './models/alerts-model.ts';
import type { DevicePageView, DeviceTotals, PickLine, ReadOnlyReader } from './models/device-model.ts';
import type { HealthView } from './models/health-model.ts';
import type { HelpView } from './models/help-model.ts';
import type { Problem } from './models/problem-model.ts';
import type { RecordView } from './models/records-model.ts';
import type { ReportView } from './models/report-model.ts';
import type { RequestView } from './models/request-model.ts';
import type { SettingView } from './models/settings-model.ts';
import type { SharingView } from './models/sharing-model.ts';
import type { SoftwareView } from './models/software-model.ts';

/** A device with what its own record does not say. */
export type DeviceLine = { readonly device: Device; readonly groupName: string | null };
/** The same in a list, which shows less of it. */
export type ListedDeviceLine = {
  readonly device: ListedDevice;
  readonly groupName: string | null;
  /** When it was last seen; null where that is not stated. A connected one is seen now. */
  readonly seenAt?: Instant | null;
};

/** A device of a list; one that the fleet has no more keeps its line. */
export type DevicesRow = ListedDeviceLine | { readonly device: null; readonly id: DeviceId };

/** A command as it is typed: `/fleet`, and what follows it. */
export type TypedLine = { readonly root: string; readonly text: string };

/** A list was read anew: the one of before was not kept any more, is another person's, or was read with other rights. */
export type RefreshReason = 'gone' | 'others' | 'rights';

/** A page of a list. `input` is the command's for the whole list, carried by the buttons as JSON. */
export type Paging = {
  readonly command: string;
  readonly input: unknown;
  /** What is typed to have the same list again; absent: the name of the command alone. */
  readonly line?: TypedLine;
  /** The key of the rows that these pages go over; absent: there is one page, or each is asked for anew. */
  readonly result?: string;
  /** Why the rows that a button went over are not these; absent: they are, or none were asked for. */
  readonly refreshReason?: RefreshReason;
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly asOf: Instant;
};

export type { HelpEntry, HelpSection } from './models/help-model.ts';
export type { Problem, UsageFault } from './models/problem-model.ts';
export type { AuditActivity, AuditNames } from './models/records-model.ts';
export type { Block, ButtonValue, RenderedMessage } from './models/rendered-model.ts';
export type { CardState, DecisionOutcome } from './models/request-model.ts';
export type { RepeatedCommand } from './models/sharing-model.ts';

export type View =
  /** `shared`: for everybody in a channel, so without what is personal. `asOf`: when it was read. */
  | ({ readonly kind: 'device'; readonly shared?: true; readonly asOf?: Instant } & DeviceLine &
      ReadOnlyReader)
  | {
      readonly kind: 'devices';
      /** What was asked for, as it would be typed; empty for all. */
      readonly title: string;
      /** The same for a channel, without what is personal; absent where there is nothing of that. */
      readonly publicTitle?: string;
      /** Words were looked for, beside filters or alone. */
      readonly byWords?: true;
      /** For everybody in a channel. */
      readonly shared?: true;
      readonly rows: readonly DevicesRow[];
      readonly totals?: DeviceTotals;
      /** So many devices at the most could not be looked at. */
      readonly unlisted: number;
      /** Not null: the fleet was not read to its end yet; `of` is how many devices there are, where that is known. */
      readonly partial?: { readonly of: number | null } | null;
      /** It should be newer, but the service did not give it. */
      readonly overdue?: boolean;
      /** No device has all the words as they were typed: these come near. */
      readonly close?: boolean;
      readonly paging: Paging;
    }
  | {
      readonly kind: 'queue';
      readonly device: Device;
      readonly rows: readonly QueueEntry[];
      readonly asOf: Instant;
    }
  | {
      readonly kind: 'events';
      /** Null: of the whole organization. */
      readonly device: Device | null;
      /** The filters as they would be typed. */
      readonly question: string;
      readonly rows: readonly FleetEvent[];
      /** Nothing older was looked at. */
      readonly since: Instant;
      /** What the service counts in this time; more than the list holds where that is cut. Null: not asked for. */
      readonly counted: number | null;
      readonly paging: Paging;
    }
  | HelpView
  /** Several devices have the name: one button each, which runs `command` again with that device's id. */
  | {
      readonly kind: 'picker';
      /** Null: they are those that a message speaks of. */
      readonly query: string | null;
      readonly rows: readonly PickLine[];
      readonly total: number;
      readonly choices: readonly { readonly command: string; readonly input: unknown }[];
    }
  /** `group`: of its device, where that is known. */
  | { readonly kind: 'alert'; readonly alert: AlertRecord; readonly group?: string | null }
  /** A button was pressed on an old copy of a card; `link` leads to the card. */
  | { readonly kind: 'card-moved'; readonly link: string | null }
  /** Somebody said hello, or thanks. `refusal`: why they may not look at the fleet; `changes`: they may request them. */
  | {
      readonly kind: 'greeting';
      readonly refusal: Problem | null;
      readonly changes: boolean;
      readonly root: string;
    }
  | {
      readonly kind: 'welcome';
      readonly channel: ChannelId;
      readonly purpose: 'approvals' | 'patchAlerts' | 'newDevices' | 'none';
      readonly root: string;
    }
  | RequestView
  | SharingView
  | ReportView
  | SoftwareView
  | DevicePageView
  /** A command lacks something: its form asks for it, opened at once where Slack lets us, else by a button. */
  | {
      readonly kind: 'fill-in';
      readonly command: string;
      /** What was given already, in part of the command's input. */
      readonly prefill: unknown;
      /** As the object of a sentence: `a device`; null where only its window could not be opened. */
      readonly missing: string | null;
      readonly usage: string;
    }
  | RecordView
  | HealthView
  | AlertView
  | SettingView
  | {
      readonly kind: 'problem';
      readonly problem: Problem;
      /** Of the commands that its words name; absent: the default one. */
      readonly root?: string;
    };
