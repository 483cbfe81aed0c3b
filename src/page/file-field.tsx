// A picture to send: a plain file field, which takes what is dropped on it. Where scripts run it becomes a larger place that
// shows what was chosen, and says at once when it cannot be taken (src/page/browser/drop.ts).
import { attributes, type FieldProps, Labelled } from './field.tsx';
import { Icon } from './icon.tsx';

export type PictureFieldProps = Omit<FieldProps, 'value'> & {
  /** Media types, with commas. */
  accept: string;
  mostBytes: number;
  /** Path of what is there now. */
  current?: string | undefined;
  /** Said of a file that is too large, or of another kind. */
  refusal: string;
};

export function PictureField(props: PictureFieldProps) {
  const { accept, mostBytes, current, refusal, name, id = name } = props;
  return (
    <Labelled {...props}>
      <div class="drop">
        <input
          {...attributes(props)}
          type="file"
          accept={accept}
          data-drop={mostBytes}
          data-drop-refusal={refusal}
        />
        <div class="drop-face" hidden>
          <span class="drop-picture">
            <Icon name="picture" />
            <img src={current} alt="" hidden={!current} />
          </span>
          <span class="drop-words">
            <span>
              <span class="drop-link">Choose a file</span> or drop it here
            </span>
            <span class="fine" data-drop-name aria-live="polite" />
          </span>
        </div>
        <button type="button" class="button button-quiet drop-clear" aria-controls={id} hidden>
          Clear
        </button>
      </div>
    </Labelled>
  );
}
