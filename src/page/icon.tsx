// The icons of navigation and dashboards, drawn for this product on a grid of 20. The text beside one says the same, so
// screen readers skip them all.

const outlines = {
  overview: 'M3.5 9.5 10 4l6.5 5.5M5.5 8.2V16h9V8.2M8.4 16v-4h3.2v4',
  applications: 'M4 4h4.75v4.75H4zM11.25 4H16v4.75h-4.75zM4 11.25h4.75V16H4zM11.25 11.25H16V16h-4.75z',
  'api-keys': 'M10.3 9.7a3.3 3.3 0 1 0-4.6 4.6 3.3 3.3 0 0 0 4.6-4.6Zm0 0L16 4m-3.2 3.2 2.3 2.3',
  apis: 'M3.75 5.25h12.5v9.5H3.75zM7.5 8l-2 2 2 2m5-4 2 2-2 2m-3.5 0.5 2-5',
  webhooks: 'M4 5h5M4 10h8M4 15h5M12 5h4v10h-4m2-2.2 2.2 2.2L14 17.2',
  usage: 'M3.75 16.25h12.5M5.75 13.5V10m4.25 3.5v-8m4.25 8V7.75',
  members:
    'M8 9.25a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2Zm-4.75 6.5c.3-2.6 2.2-4 4.75-4s4.45 1.4 4.75 4M13 4.3a2.5 2.5 0 0 1 0 4.7m1.4 3a4.2 4.2 0 0 1 2.5 3.75',
  'audit-log': 'M5 3.75h10v12.5H5zM7.75 7.25h4.5m-4.5 3h4.5m-4.5 3h2.5',
  sessions: 'M3.5 4.75h13v8.5h-13zM7 16.25h6m-3-3v3',
  documentation:
    'M10 5.5C8.6 4.4 6.6 4 3.75 4v11c2.85 0 4.85.4 6.25 1.5 1.4-1.1 3.4-1.5 6.25-1.5V4C13.4 4 11.4 4.4 10 5.5Zm0 0v11',
  reference: 'm7 6.25-3.75 3.75L7 13.75m6-7.5L16.75 10 13 13.75M11 4.75l-2 10.5',
  account: 'M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-5.75 6.25C4.6 13.5 6.8 12 10 12s5.4 1.5 5.75 4.25',
  'sign-out': 'M12.5 6.5V4H4v12h8.5v-2.5M8 10h8.5M14 7.25 16.75 10 14 12.75',
  plus: 'M10 4.5v11M4.5 10h11',
  desktop: 'M3.25 4h13.5v9H3.25zM7.5 16.25h5M10 13v3.25',
  phone: 'M6.25 2.75h7.5v14.5h-7.5zM9 14.75h2',
  mail: 'M3.25 4.75h13.5v10.5H3.25zm.25.5L10 10.5l6.5-5.25',
  lock: 'M4.75 8.75h10.5v7.5H4.75zM7 8.5V6.25a3 3 0 0 1 6 0V8.5m-3 3v2',
  passkey:
    'M5 8.2A5.2 5.2 0 0 1 15 8m-9.5 5.5c.6-1 .9-2.1.9-3.5a3.6 3.6 0 0 1 7.2 0c0 1 0 2-.2 3M10 9.8c.1 2.4-.4 4.4-1.6 6.2m3.6-1c-.2.8-.4 1.3-.7 1.8',
  link: 'M8.5 11.5l3-3M9.3 6.3l1.5-1.5a3.1 3.1 0 0 1 4.4 4.4l-1.5 1.5M10.7 13.7l-1.5 1.5a3.1 3.1 0 0 1-4.4-4.4l1.5-1.5',
  download: 'M10 3.5v9m0 0 3.5-3.5M10 12.5 6.5 9M3.75 16.25h12.5',
  bin: 'M4 5.5h12M8 5.5v-2h4v2M5.5 5.5l.75 11h7.5l.75-11M8.5 8.5v5m3-5v5',
  picture:
    'M3.5 4.5h13v11h-13zM3.5 13l3.75-3.5 3 2.75 2.5-2.25 3.75 3.25M7.4 8.4a1 1 0 1 0 0-2 1 1 0 0 0 0 2Z',
  arrow: 'M4.5 10h11M11 5.5l4.5 4.5-4.5 4.5',
} as const;

export type IconName = keyof typeof outlines;
export const iconNames = Object.keys(outlines) as IconName[];

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path
        d={outlines[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
