// Markdown as our own elements. Nothing of a file becomes HTML by itself: raw HTML in it is shown as the text that it is,
// and a link leads to another page of /docs, to https, or nowhere.
import type { MarkedToken, Token, Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import { isLoopbackHost } from '../loopback.ts';
import { downloadOf } from './downloads.ts';
import { CLIENT_ID, type Page, type Shelf } from './shelf.ts';

/** Where the Markdown stands, and what it may link to. */
export type Place = { page: Page; shelf: Shelf; reader?: Reader };
/** Who is signed in to company settings and has chosen an application. */
export type Reader = {
  clientId: string /** For links to other pages: `?application=app_…`. */;
  query: string;
};

type Props = { tokens: Token[]; place: Place };

export function Markdown({ tokens, place }: Props) {
  return (
    <>
      {(tokens as MarkedToken[]).map((token, index) => (
        <Block key={index} token={token} place={place} />
      ))}
    </>
  );
}

function Block({ token, place }: { token: MarkedToken; place: Place }) {
  switch (token.type) {
    case 'heading':
      return <Heading token={token} place={place} />;
    case 'paragraph':
      return (
        <p>
          <Inline tokens={token.tokens} place={place} />
        </p>
      );
    case 'code':
      return <Code text={own(token.text, place)} />;
    case 'list':
      return <List token={token} place={place} />;
    case 'table':
      return <Table token={token} place={place} />;
    case 'blockquote':
      return (
        <blockquote>
          <Markdown tokens={token.tokens} place={place} />
        </blockquote>
      );
    case 'hr':
      return <hr />;
    case 'space':
    case 'def':
      return null;
    default:
      return <Words token={token} place={place} />;
  }
}

function Heading({ token, place }: { token: Tokens.Heading; place: Place }) {
  const anchor = place.page.anchors.get(token as MarkedToken) ?? '';
  // The title of the page is the only h1.
  const Level = token.depth <= 2 ? 'h2' : 'h3';
  return (
    <Level id={anchor}>
      <Inline tokens={token.tokens} place={place} />{' '}
      <a class="anchor" href={`#${anchor}`} aria-label={`Link to “${token.text.replaceAll('`', '')}”`}>
        #
      </a>
    </Level>
  );
}

/** Commands and addresses with the reader's own application in them. */
function own(text: string, { reader }: Place): string {
  return reader ? text.replaceAll(CLIENT_ID, reader.clientId) : text;
}

/** Whoever has only a keyboard must be able to scroll what is wider than the page. */
const focusable = { tabIndex: 0 };

function Code({ text }: { text: string }) {
  return (
    <pre {...focusable}>
      <code>{text}</code>
    </pre>
  );
}

function List({ token, place }: { token: Tokens.List; place: Place }) {
  const items = token.items.map((item, index) => (
    <li key={index}>
      <Markdown tokens={item.tokens} place={place} />
    </li>
  ));
  return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ token, place }: { token: Tokens.Table; place: Place }) {
  // A table of terms has no words in its head.
  const isHeaded = token.header.some(({ text }) => text !== '');
  return (
    <section class="scroll" aria-label={place.page.tableNames.get(token)} {...focusable}>
      <table class="table data-table">
        {isHeaded && (
          <thead>
            <tr>
              {token.header.map((cell, index) => (
                <Cell key={index} cell={cell} place={place} isHead={cell.text !== ''} />
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <Cell key={column} cell={cell} place={place} isHead={false} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ cell, place, isHead }: { cell: Tokens.TableCell; place: Place; isHead: boolean }) {
  const words = <Inline tokens={cell.tokens} place={place} />;
  return isHead ? <th scope="col">{words}</th> : <td>{words}</td>;
}

function Inline({ tokens, place }: Props) {
  return (
    <>
      {(tokens as MarkedToken[]).map((token, index) => (
        <Words key={index} token={token} place={place} />
      ))}
    </>
  );
}

function Words({ token, place }: { token: MarkedToken; place: Place }) {
  switch (token.type) {
    case 'codespan':
      return <code>{own(token.text, place)}</code>;
    case 'strong':
      return (
        <strong>
          <Inline tokens={token.tokens} place={place} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <Inline tokens={token.tokens} place={place} />
        </em>
      );
    case 'link':
      return (
        <Link href={token.href} place={place} text={token.text}>
          <Inline tokens={token.tokens} place={place} />
        </Link>
      );
    case 'br':
      return <br />;
    case 'text':
      return 'tokens' in token && token.tokens ? (
        <Inline tokens={token.tokens} place={place} />
      ) : (
        text(token.text)
      );
    case 'escape':
      return text(token.text);
    default:
      return text(token.raw);
  }
}

/** Preact escapes it. */
function text(words: string): VNode {
  return <>{words}</>;
}

type LinkProps = { href: string; place: Place; text: string; children: ComponentChildren };

function Link({ href, place, text, children }: LinkProps) {
  const target = targetOf(href, place);
  if (target.kind === 'address') return <a href={target.href}>{children}</a>;
  // A file that is not served: its path says where to find it.
  const isNamed = text.replaceAll('`', '').includes(target.path);
  return (
    <>
      {children}
      {!isNamed && (
        <>
          {' '}
          (<code>{target.path}</code>)
        </>
      )}
    </>
  );
}

export type Target = { kind: 'address'; href: string } | { kind: 'file'; path: string };

/** Nobody's host (RFC 2606): only what stands behind it is of interest. */
const REPOSITORY = 'https://repository.invalid';

export function targetOf(href: string, { page, shelf, reader }: Place): Target {
  if (href.startsWith('#')) return { kind: 'address', href };
  const url = new URL(href, `${REPOSITORY}/docs/${page.slug}.md`);
  if (url.origin !== REPOSITORY) {
    // While the service runs on the reader's own machine, so do its pages.
    const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
    return isSafe ? { kind: 'address', href: url.href } : notHere(href);
  }
  const [, slug = ''] = /^\/docs\/(.+?)(?:\.md|\/)$/.exec(url.pathname) ?? [];
  if (shelf.has(slug)) return { kind: 'address', href: `/docs/${slug}${reader?.query ?? ''}${url.hash}` };
  const download = downloadOf(url.pathname);
  if (download !== undefined) return { kind: 'address', href: download };
  return notHere(decodeURIComponent(url.pathname).slice(1));
}

function notHere(path: string): Target {
  return { kind: 'file', path };
}
