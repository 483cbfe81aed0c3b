// Where the person's system chooses the colours (forced colours, high contrast): what only a background or a shade says
// elsewhere is said by a line here, and drawings whose colours mean something keep them.
export const forcedStyles = `
@media (forced-colors: active) {
  .button, .badge, .card, .panel, .tile, .stat, .notice { border: 1px solid; }
  .button-quiet { border-color: transparent; }
  .button-primary { border-width: 2px; }
  .button:disabled { color: GrayText; border-color: GrayText; opacity: 1; }
  .nav-link[aria-current] { outline: 2px solid Highlight; outline-offset: -2px; }
  .tab[aria-current], .account-nav .nav-link[aria-current] { border-bottom-color: Highlight; }
  .check:has(> [type="radio"]:checked) { outline: 2px solid Highlight; outline-offset: -2px; }
  .input[aria-invalid="true"] { border-width: 3px; }
  .input:focus, .drop-on:has(> .input:focus-visible) { outline: 2px solid Highlight; outline-offset: 1px; }
  .avatar, .monogram, .row-icon, .drop-picture { border: 1px solid; }
  .chart-part, .chart-key, .strength::before, .timeline > li::before { forced-color-adjust: none; }
  .chart-part { fill: CanvasText; stroke: Canvas; }
  .chart-part-1 { fill: Highlight; }
  .chart-part-2 { fill: GrayText; }
  .timeline > li::before { background: CanvasText; border-color: Canvas; }
  .timeline > .timeline-bad::before { background: Highlight; }
  .strength::before { background-color: Canvas; outline: 1px solid CanvasText; }
}
`;
