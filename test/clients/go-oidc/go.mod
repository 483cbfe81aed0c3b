module tollgate.example/client

go 1.24
