/** The panel "The outside world": what a person can make happen around the bot, and the bot's health. */

import { api, type Page } from '../actions.ts';
import { confirmAction } from '../elements/fields.ts';
import { useNewId, useTick } from '../kit.ts';
import { html, useEffect, useMemo, useRef, useState } from '../preact.ts';
import { runOnce } from '../state/state-reader.ts';
import { dayAndTime, showTime } from '../text/dates.ts';
import type { JournalLine, ProcessHealth, State } from '../types.ts';
import { ConfigurationForm } from './configuration-form.ts';
import {
  type ActionResult,
  type Outcome,
  PANEL_GROUPS,
  type PanelAction,
  type PanelField,
  type PanelGroup,
  START_OVER,
} from './forms.ts';

const TICK_MS = 1000;

type PanelProps = { readonly page: Page; readonly state: State };

export function OutsidePanel({ page, state }: PanelProps) {
  const [outcome, setOutcome] = useState<Outcome>({ words: null, isFailed: false });
  useTick(TICK_MS);
  return html`
    <div id="outside-content" class="outside">
      ${PANEL_GROUPS.map(
        (group) => html`<${Group} key=${group.id} ...${{ group, page, state, setOutcome }} />`,
      )}
      <${ConfigurationForm} page=${page} state=${state} setOutcome=${setOutcome} />
      <${Group} ...${{ group: START_OVER, page, state, setOutcome }} />
      <${BotHealth} page=${page} state=${state} />
      <div class="outcome-bar">
        <p class=${outcome.isFailed ? 'outcome failed' : 'outcome'} role="status">${outcome.words}</p>
      </div>
    </div>`;
}

const plain = (text: string) => ({ type: 'plain_text', text });
const RESET = {
  title: plain('Reset the sandbox?'),
  text: plain(
    'This deletes all messages, approvals and changes. The bot restarts with an empty database and the original configuration file. The clock isn’t reset.',
  ),
  confirm: plain('Reset'),
  deny: plain('Cancel'),
  style: 'danger',
};

type GroupProps = PanelProps & {
  readonly group: PanelGroup;
  readonly setOutcome: (outcome: Outcome) => void;
};

function Group({ group, page, state, setOutcome }: GroupProps) {
  const { id, title, about, now, fields, actions } = group;
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const run = async (action: PanelAction) => {
    if (busy !== null || !form.current) return;
    if (action.style === 'danger' && !(await confirmAction(RESET, page))) return;
    setBusy(action.id);
    setOutcome({ words: null, isFailed: false });
    const answer = await action.does(formInputOf(form.current));
    setBusy(null);
    setOutcome({ words: resultText(action, answer), isFailed: answer.ok === false });
    page.onOutside(action.id);
  };
  const press = (action: PanelAction) => (event: Event) => {
    event.preventDefault();
    void run(action);
  };
  const lines = state.world && now?.(state.world, page.now()).map((line) => html`<li>${line}</li>`);
  const rows = fields.map((field) => html`<${FieldRow} key=${field.name} ...${{ field, form, fields }} />`);
  return html`
    <form ref=${form} class="outside-group" autocomplete="off">
      <h3>${title}</h3>
      ${about && html`<p class="about">${about}</p>`}
      ${now && html`<ul class="outside-now" data-now=${id}>${lines}</ul>`}
      ${rows}
      <div class="outside-buttons">
        ${actions.map(
          (action, at) => html`
            <button
              type=${at === 0 ? 'submit' : 'button'}
              class=${`button small ${action.style ?? ''}`.trim()}
              data-outside=${action.id}
              aria-busy=${busy === action.id ? 'true' : undefined}
              onClick=${press(action)}
            >
              ${action.label}
            </button>`,
        )}
      </div>
    </form>`;
}

type FieldProps = {
  readonly field: PanelField;
  readonly fields: readonly PanelField[];
  readonly form: { readonly current: HTMLFormElement | null };
};

/** A field with its label. */
function FieldRow({ field, fields, form }: FieldProps) {
  const id = useNewId('outside');
  const { name, label, value = '', placeholder = '', options, suggestions, finds, number = false } = field;
  const [found, setFound] = useState<readonly { value: string; label: string }[] | null>(null);
  /** Suggests devices whose names contain the typed text. */
  const find = async (input: HTMLInputElement) => {
    const part = input.value;
    const devices = await api.devices(part);
    if (input.value === part) setFound(devices);
  };
  const onInput = ({ currentTarget }: Event) => {
    if (finds === 'devices' && currentTarget instanceof HTMLInputElement) void find(currentTarget);
  };
  const onChange = ({ currentTarget }: Event) => {
    if (currentTarget instanceof HTMLSelectElement && form.current)
      syncFollowers(form.current, fields, currentTarget);
  };
  const list = useMemo(() => {
    const offered = found ?? (suggestions ?? []).map((each) => ({ value: each, label: '' }));
    const rows = offered.map((each) => html`<option value=${each.value}>${each.label}</option>`);
    return html`<datalist id="${id}-list">${rows}</datalist>`;
  }, [found]);
  const select = () => html`
    <select id=${id} name=${name} class="select" onChange=${onChange}>
      ${options?.map((option) => html`<option value=${option}>${option}</option>`)}
    </select>`;
  const input = () => html`
    <input
      id=${id}
      name=${name}
      type=${number ? 'number' : 'text'}
      defaultValue=${value}
      placeholder=${placeholder}
      class="text-input"
      min=${number ? 0 : undefined}
      list=${suggestions && `${id}-list`}
      onInput=${onInput}
    />`;
  return html`
    <div class="outside-field">
      <label for=${id}>${label}</label>
      ${options ? select() : input()}
      ${suggestions && list}
    </div>`;
}

/** A field that follows another takes the value for that one, unless a person typed their own. */
function syncFollowers(form: HTMLFormElement, fields: readonly PanelField[], followed: HTMLSelectElement) {
  for (const { name, follows } of fields) {
    const input = form.elements.namedItem(name);
    if (follows?.field !== followed.name || !(input instanceof HTMLInputElement)) continue;
    const isUsual = Object.values(follows.values).includes(input.value);
    if (isUsual) input.value = follows.values[followed.value] ?? input.value;
  }
}

function formInputOf(form: HTMLFormElement) {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
  return Object.fromEntries(entries);
}

function resultText({ label }: PanelAction, answer: ActionResult) {
  if (answer.ok === false) return `${label} failed: ${errorText(answer.error ?? 'unknown_error')}`;
  const events = answer.events ?? [];
  if (events.length === 1) return `${label}: done, event ${events[0]}.`;
  return events.length > 1 ? `${label}: done, ${events.length} events.` : `${label}: done.`;
}

/** Error codes of the workspace that a person can act on. */
const errorText = (error: string) =>
  error === 'no_connection' ? 'the bot is disconnected right now. Try again in a moment.' : error;

const LOOK_MS = 3_000;
const REQUESTS = 12;
const LINES = 12;

/** The bot's state and its latest requests, read while the panel is visible. */
function BotHealth({ page, state }: PanelProps) {
  const [health, setHealth] = useState<ProcessHealth>({});
  const [requests, setRequests] = useState<readonly JournalLine[]>([]);
  const look = useRef(
    runOnce(async () => {
      const [now, journal] = await Promise.all([api.health(), api.journal(REQUESTS)]);
      // A failed read is not shown here: the notice above the messages says that the sandbox is unreachable.
      if (now.running === undefined) return;
      setHealth(now);
      setRequests((journal.requests ?? []).toReversed());
    }),
  ).current;
  useEffect(() => {
    const timer = setInterval(() => {
      if (page.store.get().isOutsideOpen && !document.hidden) void look();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (state.isOutsideOpen) void look();
  }, [state.isOutsideOpen, state.world]);
  const lines = (health.lines ?? []).slice(-LINES).map(({ text }) => text);
  return html`
    <section class="outside-group" aria-label="Bot health">
      <h3>Bot health</h3>
      <p class="about" data-bot="exit">${health.running !== undefined && stateText(health)}</p>
      <details>
        <summary>Last log lines</summary>
        <pre class="log" tabindex="0" aria-label="Last log lines">${lines.join('\n') || 'No log lines.'}</pre>
      </details>
      <details open>
        <summary>Latest requests</summary>
        <ol class="requests" data-bot="requests">
          ${requests.map((request) => html`<li>${requestText(request)}</li>`)}
        </ol>
      </details>
    </section>`;
}

function stateText({ running = 0, last_exit = null }: ProcessHealth) {
  const now =
    running === 0 ? 'Not running.' : running === 1 ? 'Running.' : `${running} processes are running.`;
  if (last_exit === null) return `${now} It hasn’t stopped since the start.`;
  const { at, how, wanted } = last_exit;
  return `${now} Last exit: ${dayAndTime(at)}, ${wanted ? 'requested' : 'unexpected'} (${how}).`;
}

const requestText = ({ at, service = '', method, path, status }: JournalLine) =>
  `${showTime(at)} ${service} ${method} ${path} → ${status ?? 'no answer'}`;
