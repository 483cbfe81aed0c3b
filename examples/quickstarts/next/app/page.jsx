import Link from 'next/link';
import { auth, signIn } from '../auth.js';

export default async function Home() {
  const session = await auth();
  if (session) {
    return (
      <main>
        <h1>Shop</h1>
        <p>Signed in as {session.user.email}</p>
        <Link href="/account">Account</Link>
      </main>
    );
  }
  const start = async () => {
    'use server';
    await signIn('tollgate');
  };
  return (
    <main>
      <h1>Shop</h1>
      <form action={start}>
        <button type="submit">Sign in</button>
      </form>
    </main>
  );
}
