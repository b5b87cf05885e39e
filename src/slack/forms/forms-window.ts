/**
 * Opens the forms of commands and draws them anew. A trigger lives three seconds and a form may have to read first:
 * so a window that says “Looking…” is opened at once, and becomes the form.
 */
import type { Command } from '../../commands/command.ts';
import type { Form, FormOpened, FormPorts } from '../../commands/forms/form.ts';
import { needOf } from '../../commands/needs.ts';
import type { Registry } from '../../commands/registry.ts';
import type { Settings } from '../../commands/settings.ts';
import { newReference } from '../../ids.ts';
import type { Log } from '../../log.ts';
import { formWindow } from '../../views/forms/form.ts';
import type { FormOrder } from '../../views/forms/form-order.ts';
import { type AnswerPlace, lookingWindow } from '../../views/kit/answer-window.ts';
import type { Problem, View } from '../../views/model.ts';
import { render } from '../../views/render.ts';
import { isClosed, showAnswer } from '../answer-windows.ts';
import { createFailure } from '../failure.ts';
import { type Asked, faultText, windowRefused } from '../faults.ts';
import type { InFlight } from '../in-flight.ts';
import type { Personal } from '../personal.ts';
import type { Refusals } from '../refusals.ts';
import type { Caller } from '../replies.ts';
import type { Rights } from '../rights.ts';
import type { Modal, SlackWeb } from '../web.ts';

/** Whose form, with what is known already, for whom. */
export type FormAsked = {
  readonly command: string;
  readonly given: unknown;
  readonly caller: Caller;
  /** Its answer stands in its window, too: there is no conversation for it. */
  readonly inWindow?: true;
};

/** Where the form stands: in a window of its own, over `depth` others, or instead of what a window shows. */
export type FormWhere =
  | { readonly kind: 'open'; readonly triggerId: string }
  | { readonly kind: 'push'; readonly triggerId: string; readonly depth: number }
  | { readonly kind: 'replace'; readonly viewId: string; readonly depth: number };

/** Null where a window shows it, or why not; else what to tell the person instead. */
export type OpenForm = (where: FormWhere, asked: FormAsked) => Promise<View | null>;

export type FormWindows = {
  readonly open: OpenForm;
  /** What stands in the window then: a form, or the problem in its place. Never throws. */
  readonly draw: (command: string, caller: FormCaller, how: DrawForm) => Promise<Drawn>;
};
export type FormCaller = Caller & Pick<FormOrder, 'inWindow'>;
/** Calls one of the functions of a command's form. */
type DrawForm = (form: Form, ports: FormPorts) => Promise<FormOpened>;
export type Drawn =
  | { readonly kind: 'window'; readonly window: Modal }
  | { readonly kind: 'problem'; readonly problem: Problem };

export type FormWindowsOptions = {
  readonly registry: Registry;
  readonly rights: Rights;
  readonly personal: Pick<Personal, 'reading'>;
  readonly settings: Settings;
  /** Keeps what was refused. */
  readonly noted: Refusals['noted'];
  readonly web: Pick<SlackWeb, 'openView' | 'pushView' | 'updateView'>;
  readonly inFlight: Pick<InFlight, 'orRestarting'>;
  readonly root: string;
  readonly log: Log;
};

export function createFormWindows(options: FormWindowsOptions): FormWindows {
  const { registry, rights, personal, settings, noted, web, inFlight, root, log } = options;
  const failure = createFailure(log);

  const read: FormWindows['draw'] = async (name, caller, how) => {
    const { person, channel } = caller;
    const command = registry.find(name);
    if (command?.form === undefined) return { kind: 'problem', problem: noForm(log, name) };
    try {
      const refused = await rights.refusal(person, needOf(command));
      if (refused !== null) {
        noted(person, `form of ${name}`, { kind: 'problem', problem: refused });
        return { kind: 'problem', problem: refused };
      }
      const opened = await how(command.form, {
        ...(await personal.reading(person)),
        settings,
        asker: person,
        channel,
      });
      if (opened.kind === 'problem') return opened;
      const window = formWindow(opened.form, caller);
      return window === null ? { kind: 'problem', problem: noForm(log, name) } : { kind: 'window', window };
    } catch (thrown) {
      return { kind: 'problem', problem: failure({ what: `form of ${name}`, person, thrown }) };
    }
  };

  const draw: FormWindows['draw'] = (...asked) => inFlight.orRestarting(() => read(...asked));

  const begin = async (where: FormWhere): Promise<Asked<string>> => {
    switch (where.kind) {
      case 'open':
        return web.openView(where.triggerId, lookingWindow(1));
      case 'push':
        return web.pushView(where.triggerId, lookingWindow(where.depth + 1));
      case 'replace':
        return { kind: 'ok', value: where.viewId };
    }
  };

  /** The form, or, where there is none and where Slack does not understand it, what is told instead. */
  const show = async (
    viewId: string,
    drawn: Drawn,
    otherwise: View,
    place: AnswerPlace,
  ): Promise<Asked<null>> => {
    if (drawn.kind === 'window') {
      const shown = await web.updateView(viewId, drawn.window);
      if (shown.kind === 'ok' || isClosed(shown)) return shown;
      log.warn({ event: 'form.undrawn', reason: faultText(shown) }, 'could not draw a form');
      if (shown.kind !== 'refused' || !windowRefused(shown.error)) return shown;
    }
    return showAnswer(web, viewId, render(otherwise), place);
  };

  return {
    draw,
    async open(where, asked) {
      const { command, caller, inWindow } = asked;
      const drawing = draw(command, { ...caller, inWindow }, (form, ports) => form.open(asked.given, ports));
      const begun = await begin(where);
      const drawn = await drawing;
      if (begun.kind !== 'ok') {
        log.warn({ event: 'form.unopened', reason: faultText(begun) }, 'could not open a form');
        return instead(drawn, asked, registry.find(asked.command), root);
      }
      const otherwise = instead(drawn, asked, registry.find(asked.command), root);
      const place = { depth: depthOf(where), channel: caller.channel, thread: caller.thread };
      const shown = await show(begun.value, drawn, otherwise, place);
      // Who closed the window does not want it any more.
      return shown.kind === 'ok' || isClosed(shown) ? null : otherwise;
    },
  };
}

function depthOf(where: FormWhere): number {
  switch (where.kind) {
    case 'open':
      return 1;
    case 'push':
      return where.depth + 1;
    case 'replace':
      return where.depth;
  }
}

/** Told where no form stands: the same button again, or what was wrong anyway. */
function instead(drawn: Drawn, asked: FormAsked, command: Command | null, root: string): View {
  if (drawn.kind === 'problem') return { kind: 'problem', problem: drawn.problem, root };
  const usage = command === null ? root : `${root} ${command.usage}`;
  return { kind: 'fill-in', command: asked.command, given: asked.given, missing: null, usage };
}

/** A form of another version of this program, or one that says too much of itself. */
function noForm(log: Log, command: string): Problem {
  const reference = newReference();
  log.error({ event: 'form.undrawable', command, reference }, 'could not build a form');
  return { kind: 'unexpected', changed: 'nothing', reference };
}
