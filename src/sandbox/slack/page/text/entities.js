/** The three characters that Slack escapes, as they were meant. @param {string} text */
export const decoded = (text) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
