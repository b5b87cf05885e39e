/**
 * Sends a list as a file to the person who asks: the whole list as seen while it is cached, otherwise read again, with
 * the same permissions.
 */
import type { PersonId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { View } from '../../views/model.ts';
import { type Csv, toCsv } from '../../views/sharing/csv.ts';
import type { CommandRequest, Dispatch } from '../dispatch/dispatch-port.ts';
import { type SlackError, slackErrorCode, slackErrorText } from '../web-api/slack-errors.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';

/** The answer to the person who asked. */
export type ExportList = (request: CommandRequest) => Promise<View>;

export type ExportOptions = {
  readonly dispatch: Pick<Dispatch, 'runCommand'>;
  readonly web: Pick<SlackWeb, 'openDirect' | 'sendFile'>;
  readonly log: Log;
};

export function createExportList({ dispatch, web, log }: ExportOptions): ExportList {
  const send = async (person: PersonId, { name, text }: Csv): Promise<SlackError | null> => {
    const direct = await web.openDirect(person);
    if (direct.kind !== 'ok') return direct;
    const sent = await web.sendFile(direct.value, { name: `${name}.csv`, text });
    return sent.kind === 'ok' ? null : sent;
  };

  return async (request) => {
    const answer = await dispatch.runCommand({ ...request, page: 0, allPages: true });
    const view = answer.kind === 'shareable' ? answer.view : answer;
    const csv = toCsv(view);
    if (csv === null) return answer;
    const fault = await send(request.caller.person, csv);
    if (fault === null) {
      const { rows, omittedRows } = csv;
      const refreshed =
        'paging' in view && view.paging.refreshReason !== undefined
          ? { refreshReason: view.paging.refreshReason }
          : {};
      return { kind: 'exported', name: `${csv.name}.csv`, rows, omittedRows, ...refreshed };
    }
    log.warn(
      { event: 'export.lost', list: csv.name, reason: slackErrorText(fault) },
      'could not send an exported list',
    );
    return { kind: 'problem', problem: { kind: 'not-exported', slackError: slackErrorCode(fault) } };
  };
}
