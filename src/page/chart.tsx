// Stacked bars over days, drawn on the server: no script, no inline style, readable in light and dark and at any width.
// The drawing stretches and so holds no text; scale and days stand around it, and the numbers in a table below it.
import type { ComponentChildren } from 'preact';
import { DataTable } from './table.tsx';

export type ChartBar = {
  /** In the table and when the pointer rests on the bar: "21 Nov 2026". */
  label: string;
  /** Under the axis: "21 Nov". */
  short: string;
  /** One for each series, the lowest in the stack first. */
  values: number[];
};

export type ChartProps = {
  /** What it shows, to whoever does not see it. */
  caption: string;
  /** Column of the bars' labels in the table. */
  axis: string;
  /** Lowest in the stack first; at most three. */
  series: string[];
  /** Oldest first. */
  bars: ChartBar[];
};

/** Units of the drawing, which has no size of its own. */
const HEIGHT = 200;
const BAR = 10;
const GAP = 2;

export function Chart({ caption, axis, series, bars }: ChartProps) {
  const { top, ticks } = scaleFor(Math.max(0, ...bars.map(totalOf)));
  return (
    <figure class="chart">
      <Legend series={series} bars={bars} />
      <div class="chart-body">
        <div class="chart-scale" aria-hidden="true">
          {ticks.toReversed().map((tick) => (
            <span key={tick}>{compact.format(tick)}</span>
          ))}
        </div>
        <Drawing caption={caption} series={series} bars={bars} top={top} lines={ticks.length} />
        <div class={bars.length <= 7 ? 'chart-days chart-days-all' : 'chart-days'} aria-hidden="true">
          {daysShown(bars).map(({ label, short }) => (
            <span key={label}>{short}</span>
          ))}
        </div>
      </div>
      <details class="chart-table">
        <summary>Show as table</summary>
        <DataTable narrow caption={caption} head={[axis, ...series, 'Total']}>
          {bars.toReversed().map((bar) => (
            <tr key={bar.label}>
              <td>{bar.label}</td>
              {bar.values.map((value, index) => (
                <td key={series[index]}>{plain.format(value)}</td>
              ))}
              <td>{plain.format(totalOf(bar))}</td>
            </tr>
          ))}
        </DataTable>
      </details>
    </figure>
  );
}

type DrawingProps = Pick<ChartProps, 'caption' | 'series' | 'bars'> & { top: number; lines: number };

function Drawing({ caption, series, bars, top, lines }: DrawingProps) {
  const width = bars.length * BAR;
  return (
    <svg
      class="chart-drawing"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${caption}. ${summaryOf(series, bars)}`}
    >
      {Array.from({ length: lines }, (_, index) => {
        const y = HEIGHT - (index * HEIGHT) / (lines - 1);
        return <line key={y} class="chart-line" x1="0" x2={width} y1={y} y2={y} />;
      })}
      {bars.map((bar, index) => (
        <g class="chart-bar" key={bar.label}>
          <title>{titleOf(series, bar)}</title>
          <rect class="chart-hover" x={index * BAR} y="0" width={BAR} height={HEIGHT} />
          {stacked(bar, top).map(({ y, height }, part) => (
            <rect
              key={series[part]}
              class={`chart-part chart-part-${part}`}
              x={index * BAR + GAP / 2}
              y={y}
              width={BAR - GAP}
              height={height}
            />
          ))}
        </g>
      ))}
    </svg>
  );
}

function Legend({ series, bars }: Pick<ChartProps, 'series' | 'bars'>): ComponentChildren {
  return (
    <figcaption>
      <ul class="chart-legend">
        {series.map((name, part) => (
          <li key={name}>
            <svg class="chart-key" viewBox="0 0 12 12" aria-hidden="true">
              <rect class={`chart-part chart-part-${part}`} width="12" height="12" rx="3" />
            </svg>
            {name} <strong>{plain.format(sumOf(bars.map(({ values }) => values[part] ?? 0)))}</strong>
          </li>
        ))}
      </ul>
    </figcaption>
  );
}

function stacked({ values }: ChartBar, top: number): { y: number; height: number }[] {
  let below = 0;
  return values.map((value) => {
    const height = round((value / top) * HEIGHT);
    below += height;
    return { y: round(HEIGHT - below), height };
  });
}

/** Round numbers, so that the lines can be read: steps of 1, 2 or 5 and zeros, two to five of them. */
export function scaleFor(highest: number): { top: number; ticks: number[] } {
  const roughly = Math.max(1, highest) / 4;
  const power = 10 ** Math.floor(Math.log10(roughly));
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= roughly) ?? 1,
  );
  const count = Math.max(2, Math.ceil(highest / step));
  return { top: step * count, ticks: Array.from({ length: count + 1 }, (_, index) => index * step) };
}

/** All of a week, else six at equal distances. */
function daysShown(bars: ChartBar[]): ChartBar[] {
  if (bars.length <= 7) return bars;
  const step = Math.ceil(bars.length / 6);
  return bars.filter((_, index) => index % step === 0);
}

function titleOf(series: string[], bar: ChartBar): string {
  const parts = series.map((name, part) => `${name}: ${plain.format(bar.values[part] ?? 0)}`);
  return [bar.label, ...parts].join('\n');
}

function summaryOf(series: string[], bars: ChartBar[]): string {
  const highest = bars.toSorted((a, b) => totalOf(b) - totalOf(a))[0];
  const sums = series.map(
    (name, part) => `${name}: ${plain.format(sumOf(bars.map(({ values }) => values[part] ?? 0)))}`,
  );
  const peak = highest && totalOf(highest) > 0 ? ` Most on ${highest.label}: ${totalOf(highest)}.` : '';
  return `${sums.join(', ')}.${peak}`;
}

function totalOf({ values }: ChartBar): number {
  return sumOf(values);
}

function sumOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const plain = new Intl.NumberFormat('en-GB');
const compact = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });
