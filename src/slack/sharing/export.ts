/**
 * Sends a list as a file to the one who asks: the whole of it, as it was seen while that is kept, else asked for anew; with
 * the same rights as the list.
 */
import type { PersonId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import { type Csv, csvOf } from '../../views/csv.ts';
import type { View } from '../../views/model.ts';
import type { CommandOrder, Dispatch } from '../dispatch.ts';
import { faultText, faultWord, type SlackFault } from '../faults.ts';
import type { SlackWeb } from '../web.ts';

/** What the one who asked is told. */
export type Export = (order: CommandOrder) => Promise<View>;

export type ExportOptions = {
  readonly dispatch: Pick<Dispatch, 'command'>;
  readonly web: Pick<SlackWeb, 'openDirect' | 'sendFile'>;
  readonly log: Log;
};

export function createExport({ dispatch, web, log }: ExportOptions): Export {
  const send = async (person: PersonId, { name, text }: Csv): Promise<SlackFault | null> => {
    const direct = await web.openDirect(person);
    if (direct.kind !== 'ok') return direct;
    const sent = await web.sendFile(direct.value, { name: `${name}.csv`, text });
    return sent.kind === 'ok' ? null : sent;
  };

  return async (order) => {
    const answer = await dispatch.command({ ...order, page: 0, whole: true });
    const view = answer.kind === 'shareable' ? answer.view : answer;
    const csv = csvOf(view);
    if (csv === null) return answer;
    const fault = await send(order.caller.person, csv);
    if (fault === null) {
      const { rows, left } = csv;
      const anew = 'paging' in view && view.paging.anew !== undefined ? { anew: view.paging.anew } : {};
      return { kind: 'exported', name: `${csv.name}.csv`, rows, left, ...anew };
    }
    log.warn(
      { event: 'export.lost', list: csv.name, reason: faultText(fault) },
      'could not send an exported list',
    );
    return { kind: 'problem', problem: { kind: 'not-exported', slackError: faultWord(fault) } };
  };
}
