/** The bot's configuration file in the panel: a person edits it, and sees what the bot finds wrong with it. */
import { api, type Page } from '../actions.ts';
import { useNewId } from '../kit.ts';
import { html, useEffect, useState } from '../preact.ts';
import type { State } from '../types.ts';
import type { Outcome } from './forms.ts';

type ConfigurationFormProps = {
  readonly page: Page;
  readonly state: State;
  readonly setOutcome: (outcome: Outcome) => void;
};

const ACTION = 'Check and use';

export function ConfigurationForm({ page, state, setOutcome }: ConfigurationFormProps) {
  const id = useNewId('configuration');
  /** As it was last read or written; null: not yet. */
  const [file, setFile] = useState<string | null>(null);
  /** What a person made of it; null: nothing. */
  const [draft, setDraft] = useState<string | null>(null);
  const [checked, setChecked] = useState<{ text: string; problems: readonly string[] } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const text = draft ?? file;
  useEffect(() => {
    if (!state.isOutsideOpen) return;
    void api.configuration().then((read) => setFile((known) => read.text ?? known));
  }, [state.isOutsideOpen, state.world]);
  const use = async (event: Event) => {
    event.preventDefault();
    if (isBusy || text === null) return;
    setBusy(true);
    setOutcome({ words: null, isFailed: false });
    const { ok, problems = [], error } = await api.writeConfiguration(text);
    setBusy(false);
    setOutcome({ words: outcomeText(error, problems, page), isFailed: !ok });
    if (error !== undefined) return;
    setChecked({ text, problems });
    setFile(text);
    setDraft((now) => (now === text ? null : now));
    page.onOutside('configuration');
  };
  const onInput = ({ currentTarget }: Event) => {
    if (currentTarget instanceof HTMLTextAreaElement) setDraft(currentTarget.value);
  };
  // They stay while a person corrects them, and go when somebody else has written another file.
  const problems = checked && (draft !== null || file === checked.text) ? checked.problems : [];
  return html`
    <form class="outside-group" autocomplete="off" onSubmit=${use}>
      <h3><label for=${id}>Configuration file</label></h3>
      <p class="about">
        Roles and rules change at once, channels at the bot’s next start. A file with a problem changes nothing.
      </p>
      <textarea
        id=${id}
        class="text-input configuration"
        rows="14"
        wrap="off"
        spellcheck="false"
        autocapitalize="off"
        value=${text ?? ''}
        aria-invalid=${problems.length > 0 ? 'true' : undefined}
        aria-describedby="${id}-problems"
        onInput=${onInput}
      />
      <ul id="${id}-problems" class="outside-now problems" hidden=${problems.length === 0}>
        ${problems.map((problem) => html`<li>${problem}</li>`)}
      </ul>
      <div class="outside-buttons">
        <button
          type="submit"
          class="button small"
          data-outside="configuration"
          aria-busy=${isBusy ? 'true' : undefined}
        >
          ${ACTION}
        </button>
      </div>
    </form>`;
}

function outcomeText(error: string | undefined, problems: readonly string[], { store }: Page) {
  if (error !== undefined) return `${ACTION} failed: ${error}`;
  if (problems.length > 0) return `${ACTION} failed: the bot still uses the previous file.`;
  return store.get().world?.bot.running === false
    ? 'The file is saved. The bot reads it when it starts.'
    : 'The bot now uses this file.';
}
