# comment
Creator "x"
graph [ directed 0 node [ id 1 label "