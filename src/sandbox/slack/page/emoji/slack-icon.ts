/** The icons that Slack lets apps name (docs.slack.dev, slack icon object), as characters. */
import { h, icon } from '../dom/dom.ts';

const characters: ReadonlyMap<string, string> = new Map(
  `archive 🗄️  book 📖  bookmark 🔖  bot 🤖  bug 🐛  calendar 📅  call 📞  caret-left ◀  caret-right ▶  check ✓
  clipboard 📋  code 〈〉  comment 💬  compass 🧭  copy ⧉  cube 📦  download ⤓  edit ✎  email ✉️  eye-closed 🙈
  eye-open 👁️  file 📄  flag 🚩  folder 📁  gear ⚙️  globe 🌐  heart ♥  help ?  home ⌂  image 🖼️  info ⓘ  key 🔑
  lightbulb 💡  link 🔗  map 🗺️  mobile 📱  new-window ⧉  pin 📌  plus +  refine ☰  refresh ↻  rocket 🚀  save 💾
  screen 🖥️  share ↗  sparkle ✨  star ☆  star-filled ★  tag 🏷️  thumbs-down 👎  thumbs-up 👍  trash 🗑️  upload ⤒
  user 👤  warning ⚠️`
    .split(/\s{2,}|\n/)
    .map((pair) => {
      const [name = '', character = ''] = pair.trim().split(' ');
      return [name, character];
    }),
);

/** Drawn instead of a character, so that it matches the other icon buttons. */
const TRASH = 'M4 6h12M8 6V4h4v2M6 6l1 11h6l1-11';

/** Decorative, because the text is beside it. */
export const slackIcon = (name: string) =>
  name === 'trash'
    ? icon(TRASH)
    : h('span', { class: 'slack-icon', 'aria-hidden': 'true' }, characters.get(name) ?? '▫');
