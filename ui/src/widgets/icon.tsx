/** The icons of the design: 16 px grid, strokes of 1.5 px in the colour of the text. */
import type { JSX } from 'preact';

const shapes = {
  'sql': <><path d="M2.5 4.5 6 8l-3.5 3.5M8 12h5.5"/></>,
  'report': <><path d="M3.5 2h9v12h-9zM6 5.5h4M6 8h4M6 10.5h2"/></>,
  'settings': <><path d="M2 5h6.5M12.5 5H14M2 11h1.5M7.5 11H14"/><circle cx="10.5" cy="5" r="1.75"/><circle cx="5.5" cy="11" r="1.75"/></>,
  'help': <><circle cx="8" cy="8" r="5.75"/><path d="M6.25 6.5c0-2.2 3.5-2.2 3.5 0 0 1.3-1.75 1.2-1.75 2.6M8 11.2v.05"/></>,
  'plus': <><path d="M8 3v10M3 8h10"/></>,
  'chevron-right': <><path d="m6 3.5 4.5 4.5L6 12.5"/></>,
  'chevron-down': <><path d="M3.5 6 8 10.5 12.5 6"/></>,
  'menu': <><path d="M3 4.5h10M3 8h10M3 11.5h10"/></>,
  'filter': <><path d="M2 3.5h12L9.5 8.5V13l-3-1.5v-3z"/></>,
  'file': <><path d="M3.5 1.75h5.75L12.5 5v9.25h-9zM9 2v3.25h3.25"/></>,
  'folder': <><path d="M1.75 12.75v-9.5H6l1.5 2h6.75v7.5z"/></>,
  'upload': <><path d="M8 10.5V2.5M5 5.5l3-3 3 3M2.5 10.5v3h11v-3"/></>,
  'download': <><path d="M8 2.5v8M5 7.5l3 3 3-3M2.5 10.5v3h11v-3"/></>,
  'copy': <><path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3"/></>,
  'play': <><path d="M4.5 2.75v10.5L13 8z"/></>,
  'stop': <><path d="M4 4h8v8H4z"/></>,
  'theme': <><circle cx="8" cy="8" r="5.75"/><path d="M8 2.25v11.5a5.75 5.75 0 0 0 0-11.5z" fill="currentColor"/></>,
  'exact': <><circle cx="8" cy="8" r="2.5" fill="currentColor"/></>,
  'bounded': <><path d="M2 5v6M14 5v6M2 8h12"/><circle cx="8" cy="8" r="1.75" fill="currentColor"/></>,
  'guessed': <><circle cx="8" cy="8" r="5.25" stroke-dasharray="2.4 2.1"/><path d="M8 8h.01" stroke-width="2.5"/></>,
  'lost': <><circle cx="8" cy="8" r="5.25"/><path d="m4.5 11.5 7-7"/></>,
  'stated': <><path d="M5 3H3v10h2M11 3h2v10h-2"/><circle cx="8" cy="8" r="1.75" fill="currentColor"/></>,
  'warning': <><path d="M8 2 14.5 13.5h-13zM8 6.5v3.25M8 11.6v.01"/></>,
  'table': <><path d="M2 3h12v10H2zM2 6.5h12M2 9.75h12M6.5 3v10"/></>,
  'save': <><path d="M2.5 2.5h8.5l2.5 2.5v8.5h-11zM5 2.5v3.5h5V2.5M5 13.5v-4h6v4"/></>,
  'link': <><path d="M6.75 9.25a2.5 2.5 0 0 0 3.6 0l2.4-2.4a2.5 2.5 0 0 0-3.6-3.6l-1 1M9.25 6.75a2.5 2.5 0 0 0-3.6 0l-2.4 2.4a2.5 2.5 0 0 0 3.6 3.6l1-1"/></>,
  'check': <><path d="m3 8.5 3.25 3.25L13 5"/></>,
  'close': <><path d="m4 4 8 8M12 4l-8 8"/></>,
  'merge': <><path d="M2 3.5h3c3.5 0 2.5 9 6 9h3M2 12.5h3c1.2 0 1.8-1.1 2.2-2.5M14 3.5h-3c-1.2 0-1.8 1.1-2.2 2.5"/></>,
  'arrow-left': <><path d="M13 8H3m4-4L3 8l4 4"/></>,
  'clocks': <><circle cx="8" cy="8" r="5.75"/><path d="M8 4.75V8l2.25 1.5"/></>,
  'pin': <><path d="M6 2h4v4.5l2 2v1H4v-1l2-2zM8 9.5V14"/></>,
  'arrow-up': <><path d="M8 13V3m-4 4 4-4 4 4"/></>,
  'arrow-down': <><path d="M8 3v10m-4-4 4 4 4-4"/></>,
  'timeline': <><path d="M2 4h6M5 8h7M4 12h4M11 12h3"/></>,
  'search': <><circle cx="7" cy="7" r="4.25"/><path d="m10.2 10.2 3.3 3.3"/></>,
  'more': <><path d="M3.5 8h.01M8 8h.01M12.5 8h.01" stroke-width="2"/></>,
  'minus': <><path d="M3 8h10"/></>,
  'eye-off': <><path d="M2.5 2.5l11 11M4.2 4.7C2.4 6 1.5 8 1.5 8S4 12.5 8 12.5c1.2 0 2.3-.4 3.2-1M6.8 3.6c3.6-.7 6.4 2.4 7.7 4.4-.3.6-.8 1.3-1.4 2"/></>,
  'phone': <><path d="M4.5 1.75h7v12.5h-7zM7 11.75h2"/></>,
  'watch': <><circle cx="8" cy="8" r="3.75"/><path d="M6 4.5 6.5 1.75h3L10 4.5M6 11.5l.5 2.75h3l.5-2.75M8 6.5V8l1 .75"/></>,
  'chip': <><path d="M4 4h8v8H4zM6.5 6.5h3v3h-3zM6 1.5V4M10 1.5V4M6 12v2.5M10 12v2.5M1.5 6H4M1.5 10H4M12 6h2.5M12 10h2.5"/></>,
  'flow': <><path d="M2 3.5h3c5 0 1 9 6 9h2.5M11.5 10.25l2.25 2.25-2.25 2.25"/></>,
  'area': <><path d="M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3M5.5 5.5h5v5h-5z"/></>,
  'fit': <><path d="M2 3v10M14 3v10M4.5 8h7M6.5 6l-2 2 2 2M9.5 6l2 2-2 2"/></>,
  'arrow-right': <><path d="M3 8h10M9 4l4 4-4 4"/></>,
  'gap': <><path d="M1.5 8H4l1.5-4 2 8 2-8 1.5 4h3.5"/></>,
  'eye': <><path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8z"/><circle cx="8" cy="8" r="1.75"/></>,
  'flag': <><path d="M4 14V2.5h8L10 5.5l2 3H4"/></>,
  'machine': <><path d="M2 3h12v8H2zM5.5 13.5h5M8 11v2.5"/></>,
  'process': <><path d="M2 3h12v10H2zM2 6h12M4.25 4.5h.01"/></>,
  'thread': <><path d="M4 2v4c0 4 8 0 8 4v4M4 10v4M12 2v4"/></>,
  'counter': <><path d="M2 13h12M2 10.5l3-3 2.5 2 3-5L14 8"/></>,
  'undo': <><path d="M5.5 3 2.5 6l3 3M2.5 6h7a4 4 0 0 1 0 8H6"/></>,
  'drawer': <><path d="M2 2.5h12v11H2zM2 9.5h12"/></>,
} satisfies Record<string, JSX.Element>;

export type IconName = keyof typeof shapes;

/** Returns an icon, which assistive technology skips: its control or its text has the name. */
export function Icon({ name, small }: { name: IconName; small?: boolean }): JSX.Element {
  return (
    <svg class={small ? 'i i-s' : 'i'} viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5"
      stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      {shapes[name]}
    </svg>
  );
}

/** Returns the mark of the product: three braided lines. */
export function Mark(): JSX.Element {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" fill="none" stroke-width="1.75" stroke-linecap="round" aria-hidden="true">
      <path d="M2 5h2.5c5.5 0 6 12 11.5 12H20" stroke="var(--machine-1)" />
      <path d="M2 17h2.5c1.9 0 3.2-1.4 4.3-3.2M11.4 9.2C12.5 6.8 13.7 5 16 5h4" stroke="var(--machine-2)" />
      <path d="M2 11h4M10 11h2.2M16.2 11H20" stroke="var(--machine-3)" />
    </svg>
  );
}
