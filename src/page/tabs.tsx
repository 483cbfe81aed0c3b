// Pages that belong together, as tabs: links, so that each has an address. On a phone the row scrolls and fades out where
// there is more; src/page/browser/tabs.ts brings the current one into view.

export type TabsProps = {
  /** What they are parts of, to a screen reader. */
  label: string;
  tabs: { label: string; path: string; isCurrent: boolean }[];
};

export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map((tab) => (
          <li key={tab.path}>
            <a class="tab" href={tab.path} {...(tab.isCurrent ? { 'aria-current': 'page' as const } : {})}>
              {tab.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
