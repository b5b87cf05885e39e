/** Forms of commands. A trigger expires after three seconds, so a window that says “Looking…” opens at once and becomes the form. */
import type { Command, CommandForm, FormPorts, OpenedForm, Registry } from '../../commands/core/command.ts';
import { requiredPermission } from '../../commands/core/reader-rights.ts';
import type { SettingsPort } from '../../commands/core/settings-port.ts';
import { formOf } from '../../commands/forms/pressed-form.ts';
import { openFilled } from '../../commands/forms/seen-devices-form.ts';
import { newReference } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { type FormMetadata, formWindow } from '../../views/forms/form-window.ts';
import { type AnswerWindowState, loadingWindow, type Modal } from '../../views/kit/answer-window.ts';
import { type Problem, renderView, type View } from '../../views/views.ts';
import type { AccessRefusals } from '../access/access-refusals.ts';
import { ofCommand, type Permissions, type PersonalDataAccess } from '../access/permissions.ts';
import type { InFlight } from '../dispatch/dispatch-port.ts';
import { createErrorReporter } from '../dispatch/unexpected-errors.ts';
import { type CommandSource, isWindowClosed, showAnswer } from '../replies/private-replies.ts';
import { isWindowRefused, type SlackResult, slackErrorText } from '../web-api/slack-errors.ts';
import type { ShownView, SlackWeb, ViewPlacement } from '../web-api/slack-web.ts';
import type { FormMark } from './form-payloads.ts';

export type FormRequest = {
  readonly command: string;
  readonly prefill: unknown;
  readonly caller: CommandSource;
  /** The answer also goes to its window, because no conversation belongs to it. */
  readonly inWindow?: true;
  /** A button was pressed that says all of the input: the form shows that, and asks for nothing more. */
  readonly pressed?: true;
};

/** Where the form goes. `depth`: windows in the stack, including it; absent: it is the first. */
export type FormPlacement = ViewPlacement & { readonly depth?: number };

/** Null where a window shows the form or the problem; otherwise the message for the person. */
export type OpenForm = (where: FormPlacement, request: FormRequest) => Promise<View | null>;

export type FormWindows = {
  readonly open: OpenForm;
  /** The content of the window: a form, or the problem instead. Never throws. */
  readonly render: (command: string, caller: FormRequester, how: BuildForm) => Promise<RenderedForm>;
};
export type FormRequester = CommandSource & Pick<FormMetadata, 'inWindow' | 'pressed'>;
type BuildForm = (form: CommandForm, ports: FormPorts) => Promise<OpenedForm>;
export type RenderedForm =
  | { readonly kind: 'window'; readonly window: Modal }
  | { readonly kind: 'problem'; readonly problem: Problem };

export type FormWindowsOptions = {
  readonly registry: Registry;
  readonly rights: Permissions;
  readonly personal: Pick<PersonalDataAccess, 'reading'>;
  readonly settings: SettingsPort;
  readonly recordRefusal: AccessRefusals['recordRefusal'];
  readonly formMark: Pick<FormMark, 'sign'>;
  readonly web: Pick<SlackWeb, 'showView'>;
  readonly inFlight: Pick<InFlight, 'untilRestart'>;
  readonly root: string;
  readonly log: Log;
};

export function createFormWindows(options: FormWindowsOptions): FormWindows {
  const { registry, rights, personal, settings, recordRefusal, formMark, web, inFlight, root, log } = options;
  const failure = createErrorReporter(log);

  const read: FormWindows['render'] = async (name, caller, how) => {
    const { person, channel } = caller;
    const command = registry.find(name);
    const form = command && formOf(command, caller);
    if (command === null || form === null) return { kind: 'problem', problem: noFormProblem(log, name) };
    try {
      const refused = await rights.refusal(person, requiredPermission(command));
      if (refused !== null) {
        const problem = ofCommand(refused, name);
        recordRefusal(person, `form of ${name}`, { kind: 'problem', problem });
        return { kind: 'problem', problem };
      }
      const opened = await how(form, {
        ...(await personal.reading(person)),
        settings,
        asker: person,
        channel,
      });
      if (opened.kind === 'problem') return opened;
      const window = formWindow(opened.form, caller);
      if (window === null) return { kind: 'problem', problem: noFormProblem(log, name) };
      const private_metadata = formMark.sign(window.private_metadata, person);
      return { kind: 'window', window: { ...window, private_metadata } };
    } catch (thrown) {
      return { kind: 'problem', problem: failure({ what: `form of ${name}`, person, thrown }) };
    }
  };

  const draw: FormWindows['render'] = (...request) => inFlight.untilRestart(() => read(...request));

  const begin = async (where: FormPlacement): Promise<SlackResult<Pick<ShownView, 'id'>>> =>
    where.kind === 'replace'
      ? { kind: 'ok', value: { id: where.viewId } }
      : web.showView(where, loadingWindow(where.depth ?? 1));

  /** Shows the form; returns a message where there is no form or Slack refuses it. */
  const show = async (
    viewId: string,
    drawn: RenderedForm,
    otherwise: View,
    place: AnswerWindowState,
  ): Promise<SlackResult<unknown>> => {
    if (drawn.kind === 'window') {
      const updated = await web.showView({ kind: 'replace', viewId }, drawn.window);
      if (updated.kind === 'ok' || isWindowClosed(updated)) return updated;
      log.warn({ event: 'form.undrawn', reason: slackErrorText(updated) }, 'could not draw a form');
      if (updated.kind !== 'refused' || !isWindowRefused(updated.error)) return updated;
    }
    return showAnswer(web, viewId, renderView(otherwise), place);
  };

  return {
    render: draw,
    async open(where, request) {
      const { command, caller, inWindow, pressed } = request;
      const drawing = draw(command, { ...caller, inWindow, pressed }, (form, ports) =>
        openFilled(form, request.prefill, ports),
      );
      const begun = await begin(where);
      const drawn = await drawing;
      if (begun.kind !== 'ok') {
        log.warn({ event: 'form.unopened', reason: slackErrorText(begun) }, 'could not open a form');
        return fallbackView(drawn, request, registry.find(request.command), root);
      }
      const otherwise = fallbackView(drawn, request, registry.find(request.command), root);
      const place = { depth: where.depth ?? 1, channel: caller.channel, thread: caller.thread };
      const updated = await show(begun.value.id, drawn, otherwise, place);
      // Somebody who closed the window does not want the form.
      return updated.kind === 'ok' || isWindowClosed(updated) ? null : otherwise;
    },
  };
}

/** The message where no form is shown: the same button again, or the original error. */
function fallbackView(
  drawn: RenderedForm,
  request: FormRequest,
  command: Command | null,
  root: string,
): View {
  if (drawn.kind === 'problem') return { kind: 'problem', problem: drawn.problem, root };
  if (request.pressed) return { kind: 'decided', outcome: { kind: 'window-unopened' } };
  const usage = command?.usage ?? '';
  return { kind: 'fill-in', command: request.command, prefill: request.prefill, missing: null, usage, root };
}

/** A form of another version of this program, or one whose metadata is too long. */
function noFormProblem(log: Log, command: string): Problem {
  const reference = newReference();
  log.error({ event: 'form.undrawable', command, reference }, 'could not build a form');
  return { kind: 'unexpected', changed: 'nothing', reference };
}
