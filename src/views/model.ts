/** The types of views, as other folders import them; the files of views import each from its own file. */

export type { HelpEntry, HelpSection } from './models/help-model.ts';
export type { DevicesRow, Paging, RefreshReason, RepeatedCommand, TypedLine } from './models/list-model.ts';
export type { Changed, Problem, UsageFault } from './models/problem-model.ts';
export type { AuditActivity, AuditNames } from './models/records-model.ts';
export type { Block, ButtonValue, ControlKind, RenderedMessage } from './models/rendered-model.ts';
export type { DecisionOutcome } from './models/request-model.ts';
export type { View } from './views.ts';
