/** Every kind of view and every state of a card, with one text in every field that others choose. */
import { alerts } from './alert-samples.ts';
import { answers } from './answer-samples.ts';
import { cards } from './card-samples.ts';
import { deviceSamples } from './device-samples.ts';
import { edits } from './edit-samples.ts';
import { lists } from './list-samples.ts';
import { problems } from './problem-samples.ts';
import { records } from './record-samples.ts';
import { removals } from './removal-samples.ts';
import { reports } from './report-samples.ts';
import { rollouts } from './rollout-samples.ts';
import type { SampleContent, ViewSample } from './sample-content.ts';
import { settings } from './setting-samples.ts';
import { troubleViews } from './trouble-samples.ts';

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
    ...problems(filling),
    ...troubleViews(),
  ];
}
