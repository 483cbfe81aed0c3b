// What a section of the API reference is made of: headings to link to, fields, samples in four languages, answers.
import type { ComponentChildren } from 'preact';
import { Copyable } from '../page/copyable.tsx';
import { Json } from '../page/json.tsx';
import type { Answer, Field, Operation } from './reference-model.ts';

export function Heading({ id, children, name }: { id: string; name: string; children: ComponentChildren }) {
  return (
    <h2 id={id}>
      {children}{' '}
      <a class="anchor" href={`#${id}`} aria-label={`Link to “${name}”`}>
        #
      </a>
    </h2>
  );
}

const placeNames = { path: 'Path parameters', query: 'Query parameters', header: 'Headers' } as const;

export function OperationSection({ operation, kind }: { operation: Operation; kind: 'call' | 'webhook' }) {
  const { id, title, request, description, parameters, fields, exampleBody, samples, answers } = operation;
  const isCall = kind === 'call';
  return (
    <section class="operation" aria-labelledby={id}>
      <div class="operation-words prose">
        <Heading id={id} name={title}>
          {title}
        </Heading>
        <p>
          <code class="request">{isCall ? request : `POST to your endpoint: ${request}`}</code>
        </p>
        <p>{withCode(description)}</p>
        {parameters.map((group) => (
          <Fields key={group.place} caption={placeNames[group.place]} fields={group.fields} />
        ))}
        <details class="on-this-page">
          <summary>{isCall ? 'Fields of the answer' : 'Fields of the body'}</summary>
          <Fields fields={fields} />
        </details>
        <Answers id={id} answers={answers} isCall={isCall} />
      </div>
      <div class="operation-code">
        {samples.map(({ lang, label, source }, index) => (
          // One of a name is open at a time; where a browser does not know that, each by itself.
          <details class="sample" key={lang} name={`${id}-samples`} open={index === 0} id={`${id}-${lang}`}>
            <summary>{label}</summary>
            <Copyable label={`${label}: ${id}`} value={source} multiline />
          </details>
        ))}
        <section aria-label={`${isCall ? 'Answer' : 'Body'} of ${id}`} class="sample-answer">
          <p class="label">{isCall ? 'Answer: 200' : 'Body'}</p>
          <Json text={exampleBody} />
        </section>
      </div>
    </section>
  );
}

export function Fields({ caption, fields }: { caption?: string; fields: Field[] }) {
  return (
    <>
      {caption && <h3>{caption}</h3>}
      <ul class="facts">
        {fields.map(({ name, type, description, isRequired, example, fallback }) => (
          <li key={name}>
            <span class="field-name">
              <strong>
                <code>{name}</code>
              </strong>{' '}
              <span class="fine">
                {type}
                {isRequired ? '' : ', optional'}
                {fallback && `, default ${fallback}`}
              </span>
            </span>
            <span>{withCode(description)}</span>
            {example && (
              <span class="fine">
                Example: <code>{example}</code>
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function Answers({ id, answers, isCall }: { id: string; answers: Answer[]; isCall: boolean }) {
  return (
    <>
      <h3>{isCall ? 'Status and error codes' : 'What your answer means'}</h3>
      <ul class="facts">
        {answers.map(({ status, code, description }) => (
          <li key={status}>
            <strong>
              {code ? (
                <a href={`#error-${code}`} aria-label={`${status} ${code}, of ${id}`}>
                  {status} <code>{code}</code>
                </a>
              ) : (
                status
              )}
            </strong>
            <span>{withCode(description)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Each error once, with the headers and the body that it comes with. */
export function ErrorAnswers({ answers }: { answers: Answer[] }) {
  return (
    <div class="errors">
      {answers.map(({ status, code, description, body, headers }) => (
        <section key={status} aria-labelledby={`error-${code}`} class="panel">
          <h3 id={`error-${code}`}>
            {status} <code>{code}</code>
          </h3>
          <p>{withCode(description)}</p>
          <Json text={body ?? ''} />
          <p class="fine">
            {headers.map(({ name, example }, index) => (
              <span key={name}>
                {index > 0 && ', '}
                <code>
                  {name}: {example}
                </code>
              </span>
            ))}
          </p>
        </section>
      ))}
    </div>
  );
}

/** The schemas' descriptions mark code with backticks, as OpenAPI tools expect. */
export function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));
}
