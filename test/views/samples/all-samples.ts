/** Every kind of view and every state of a card, with one text in every field that others choose. */
import { alerts, answers, settings } from './answer-samples.ts';
import { cards, records, rollouts } from './card-samples.ts';
import { edits, removals } from './edit-samples.ts';
import { deviceSamples, lists, reports } from './list-samples.ts';
import { problems, troubleViews } from './problem-samples.ts';
import { ruleSamples } from './rule-samples.ts';
import type { SampleContent, ViewSample } from './sample-content.ts';

export function samples(filling: SampleContent): readonly ViewSample[] {
  return [
    ...lists(filling),
    ...deviceSamples(filling),
    ...cards(filling),
    ...rollouts(filling),
    ...reports(filling),
    ...records(filling),
    ...answers(filling),
    ...settings(filling),
    ...alerts(filling),
    ...edits(filling),
    ...removals(filling),
    ...ruleSamples(filling),
    ...problems(filling),
    ...troubleViews(),
  ];
}
