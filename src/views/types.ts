/** The types of views, as other folders import them; the files of views import each from its own file. */

export type { HelpEntry, HelpSection } from './answers/help-answer.ts';
export type { ButtonValue, ControlKind } from './kit/buttons.ts';
export type {
  AuditActivity,
  AuditNames,
  DevicesRow,
  Paging,
  RefreshReason,
  RepeatedCommand,
} from './models/list-model.ts';
export type { Changed, Problem, UsageFault } from './models/problem-model.ts';
export type { Block, RenderedMessage } from './models/rendered-model.ts';
export type { DecisionOutcome } from './models/request-model.ts';
export type { View } from './views.ts';
